/**
 * A page in the order of the key, under a rule of a few values. PostgreSQL guesses how many rows have the values, and scans the
 * whole table for a page if it guesses too many. The form below reads a bounded number of rows, whatever it guesses:
 *
 * | Rows in reach | The page is |
 * |---|---|
 * | fill the page among the next 60 rows | those, in the order of the key |
 * | are one in five of these, and fill the page among five times its rows | likewise |
 * | are fewer | the first rows of each value by its index, of which the first are taken |
 */
import {
  BinaryOperationNode,
  type OperationNode,
  OperatorNode,
  ParensNode,
  type RawBuilder,
  type SelectQueryNode,
  sql,
  ValueNode,
} from 'kysely'
import {
  conjuncts,
  isRestrictedTo,
  nameOfColumn,
  type ScopeColumn,
  type ScopedTable,
} from './scope-condition.ts'

/** The most values of which each has a read of its own. */
export const maxSeparateValues = 32

/** The rows that are read in the order of the key first. */
const sampledRows = 60
/** The page is looked for among so many times its rows, if that share of the first is in reach. */
const scannedPages = 5
const leastSampled = sampledRows / scannedPages

export interface KeyPage {
  table: string
  /** The key before the first row. */
  after: OperationNode
  limit: OperationNode
}

/** @returns `null` for a query with other conditions, joins or another order, and for one whose rows are not its first */
export function keyPageOf(
  query: SelectQueryNode,
  columns: readonly ScopeColumn[],
  table: ScopedTable,
): KeyPage | null {
  const { from, joins = [], where, orderBy, limit, offset, groupBy, having, distinctOn } = query
  // EXCEPT removes rows before the limit, and so does SKIP LOCKED.
  const { setOperations, endModifiers } = query
  const isPlain = from?.froms.length === 1 && joins.length === 0
  const others = [offset, groupBy, having, distinctOn, setOperations, endModifiers]
  const isOther = others.some((part) => part !== undefined)
  const [order, ...further] = orderBy?.items ?? []
  const isByKey = order !== undefined && further.length === 0 && order.direction === undefined
  if (!isPlain || isOther || !isByKey || limit === undefined || where === undefined) return null
  if (nameOfColumn(order.orderBy) !== 'id') return null
  const after = afterIn(ownCondition(where.where, columns, table))
  return after === null ? null : { table: table.name, after, limit: limit.limit }
}

/** The condition of a query, without those of a scope that it has already. */
function ownCondition(
  condition: OperationNode,
  columns: readonly ScopeColumn[],
  table: ScopedTable,
): OperationNode {
  const parts = conjuncts(condition)
  const last = parts.at(-1)
  const isScoped = isRestrictedTo(columns, [], { table, condition }) && parts.length === columns.length + 2
  return isScoped && last !== undefined && ParensNode.is(last) ? last.node : condition
}

/** A value alone: a column of the row would be another one in the queries below. */
function afterIn(condition: OperationNode): ValueNode | null {
  if (!BinaryOperationNode.is(condition) || !OperatorNode.is(condition.operator)) return null
  const { leftOperand, operator, rightOperand } = condition
  const isAfter = operator.operator === '>' && nameOfColumn(leftOperand) === 'id'
  return isAfter && ValueNode.is(rightOperand) ? rightOperand : null
}

interface ListedRows {
  tenant: unknown
  column: string
  /** A list of values. */
  list: RawBuilder<unknown>
  page: KeyPage
}

/** @returns an array with the ids of the page */
export function idsOfPage({ tenant, column, list, page }: ListedRows): RawBuilder<unknown> {
  const after = sqlOf(page.after)
  // Unknown beforehand in either case, so that a plan for any values costs what one for these does, and is kept.
  const limit = sql`(select cast(${sqlOf(page.limit)} as bigint))`
  const rows = (alias: string) =>
    sql`from ${sql.table(page.table)} as ${sql.id(alias)} where ${sql.ref(`${alias}.tenant_id`)} = ${tenant} and ${sql.ref(`${alias}.id`)} > ${after}`
  const among = (count: RawBuilder<unknown>) => {
    const next = sql`select next.id, ${sql.ref(`next.${column}`)} as value ${rows('next')} order by next.id limit ${count}`
    return sql`array(select id from (${next}) as scanned where value = any(${list}) order by id limit ${limit})`
  }
  const first = sql`select each.id ${rows('each')} and ${sql.ref(`each.${column}`)} = listed.value order by each.id limit ${limit}`
  const listed = sql`(select distinct value from unnest(${list}) as given (value)) as listed`
  const merged = sql`array(select found.id from ${listed} cross join lateral (${first}) as found order by found.id limit ${limit})`
  const sampled = sql`(select ${among(sql.lit(sampledRows))} as sample offset 0) as sampled`
  const isEnough = sql`cardinality(sample) >= ${limit} or cardinality(sample) < ${sql.lit(leastSampled)}`
  const begun = sql`(select case when ${isEnough} then sample else ${among(sql`${limit} * ${sql.lit(scannedPages)}`)} end as ids from ${sampled} offset 0) as begun`
  return sql`cast((select case when cardinality(ids) >= ${limit} then ids else ${merged} end from ${begun}) as uuid[])`
}

function sqlOf(node: OperationNode): RawBuilder<unknown> {
  return sql`${{ toOperationNode: () => node } as RawBuilder<unknown>}` // anything that has a node
}

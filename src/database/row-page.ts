/**
 * SQL for a page of rows in the order of their ids, of which an access rule permits those with a few values of a
 * column. PostgreSQL estimates how many rows have the values, and scans the whole table if it expects too many. The
 * SQL below reads a bounded number of rows, whatever PostgreSQL estimates:
 *
 * | Permitted rows | How the page is read |
 * |---|---|
 * | fill the page among the next 60 rows | in the order of the ids |
 * | are one in five of the 60, and fill the page among five times its number of rows | in the order of the ids |
 * | are fewer | the first rows of each value by its index; of all these, the first |
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

/** The maximum number of values: each may need a read of its own. */
export const maxSeparateValues = 32

/** The rows that are read first, in the order of the ids. */
const sampledRows = 60
/** If one in this many of the sampled rows is permitted, the page is read from this many times its number of rows. */
const scannedPages = 5
const minPermittedInSample = sampledRows / scannedPages

/** The page that a statement asks for. */
export interface KeyPage {
  table: string
  /** The id before the first row. */
  after: OperationNode
  limit: OperationNode
}

/**
 * @returns `null` unless the query reads one table in the order of its ids, after an id, with a limit and nothing
 *   else
 */
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

/** The condition that the query was written with, without the conditions of tenant and user that a scope has added. */
function ownCondition(
  condition: OperationNode,
  columns: readonly ScopeColumn[],
  table: ScopedTable,
): OperationNode {
  const parts = conjuncts(condition)
  const last = parts.at(-1)
  // A scope writes its columns, one condition of a rule, and the query's own condition in parentheses.
  const isScoped = isRestrictedTo(columns, [], { table, condition }) && parts.length === columns.length + 2
  return isScoped && last !== undefined && ParensNode.is(last) ? last.node : condition
}

/** @returns the value in a condition `id > value`, otherwise `null`: a column could not be moved to another query */
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
  // A subquery hides the limit from the planner: so PostgreSQL finds its generic plan as good as a custom one, and
  // keeps it.
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
  // OFFSET 0 keeps PostgreSQL from merging a subquery with the query around it, which would compute its list twice.
  const sampled = sql`(select ${among(sql.lit(sampledRows))} as sample offset 0) as sampled`
  const isEnough = sql`cardinality(sample) >= ${limit} or cardinality(sample) < ${sql.lit(minPermittedInSample)}`
  const begun = sql`(select case when ${isEnough} then sample else ${among(sql`${limit} * ${sql.lit(scannedPages)}`)} end as ids from ${sampled} offset 0) as begun`
  return sql`cast((select case when cardinality(ids) >= ${limit} then ids else ${merged} end from ${begun}) as uuid[])`
}

function sqlOf(node: OperationNode): RawBuilder<unknown> {
  return sql`${{ toOperationNode: () => node } as RawBuilder<unknown>}` // Kysely accepts any object with this method
}

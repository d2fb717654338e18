/** Restricts each table in a query to the rows of one tenant, or of one of its users, by rewriting the query. */
import {
  AliasNode,
  AndNode,
  ColumnNode,
  type ColumnType,
  type ColumnUpdateNode,
  type DeleteQueryNode,
  type FromNode,
  type InsertQueryNode,
  type JoinNode,
  type JoinType,
  type KyselyPlugin,
  type MergeQueryNode,
  type OnConflictNode,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  PrimitiveValueListNode,
  SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
  type WithNode,
} from 'kysely'
import { keyPageOf } from './row-page.ts'
import type { RowOperation } from './row-rule.ts'
import {
  and,
  isRestrictedTo,
  namesOf,
  namesOne,
  rowsOf,
  type ScopeColumn,
  type ScopedTable,
  scopedTable,
  tableIn,
} from './scope-condition.ts'
import { hasOwnParent, ownParent, type Parent, parentOf, refuseNewParent } from './scope-parent.ts'
import { conditionsOf, noteUse, refuseNewRows, restrictedBy, type ScopeRules } from './scope-rules.ts'

export const tenantColumn = 'tenant_id'
export const userColumn = 'account_id'

/** The tenant, the user and the access rules to which a query is confined. */
export interface Scope {
  /** The tenant's id, or the placeholder of a prepared query. */
  tenant: unknown
  /** The user's id, or the placeholder; absent: the rows of all users of the tenant. */
  user?: unknown
  /** The caller's access to the tables that have access rules; absent: all rows. */
  rules?: ScopeRules
}

export function scopeTo(scope: Scope): KyselyPlugin {
  const transformer = new ScopeTransformer(scope)
  return {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  }
}

/** A condition on the joined table restricts these joins; right and full joins keep rows that fail it. */
const restrictable: ReadonlySet<JoinType> = new Set(['InnerJoin', 'LeftJoin'])

class ScopeTransformer extends OperationNodeTransformer {
  /** The columns that only the scope writes. */
  readonly #columns: readonly ScopeColumn[]
  /** The WITH names that are visible at this point. Their own queries are scoped. */
  #derived: ReadonlySet<string> = new Set()

  readonly #tenant: unknown
  readonly #rules: ScopeRules | undefined

  constructor({ tenant, user, rules }: Scope) {
    super()
    this.#tenant = tenant
    this.#rules = rules
    const isOfUser = user !== undefined
    const ofTenant = { name: tenantColumn, value: tenant, isFilter: isOfUser }
    this.#columns = isOfUser ? [ofTenant, { name: userColumn, value: user, isFilter: false }] : [ofTenant]
  }

  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    return this.#within(node.with, () => {
      const scoped = super.transformSelectQuery(node)
      return this.#restrict(scoped, this.#tablesOf(scoped.from))
    })
  }

  protected override transformUpdateQuery(node: UpdateQueryNode): UpdateQueryNode {
    refuseNewParent(node)
    return this.#within(node.with, () => {
      const scoped = super.transformUpdateQuery(node)
      const changed = tableIn(scoped.table)
      const restricted = this.#restrict(scoped, [...changed, ...this.#tablesOf(scoped.from)])
      return restrictedBy(restricted, this.#reached(changed, 'update', scoped))
    })
  }

  protected override transformDeleteQuery(node: DeleteQueryNode): DeleteQueryNode {
    return this.#within(node.with, () => {
      const scoped = super.transformDeleteQuery(node)
      const using = scoped.using?.tables.flatMap((table) => this.#tableOf(table)) ?? []
      const deleted = scoped.from.froms.flatMap(tableIn)
      const restricted = this.#restrict(scoped, [...deleted, ...using])
      return restrictedBy(restricted, this.#reached(deleted, 'delete', scoped))
    })
  }

  protected override transformJoin(node: JoinNode): JoinNode {
    const scoped = super.transformJoin(node)
    const tables = this.#tableOf(scoped.table)
    const own = this.#conditionOn(tables)
    if (own === null) return scoped
    if (!restrictable.has(scoped.joinType))
      throw new Error(`A tenant table does not support ${scoped.joinType}.`)
    if (this.#isRestricted(scoped.on?.on, tables)) return scoped
    return { ...scoped, on: OnNode.create(scoped.on === undefined ? own : and(own, scoped.on.on)) }
  }

  protected override transformInsertQuery(node: InsertQueryNode): InsertQueryNode {
    const scoped = this.#within(node.with, () => super.transformInsertQuery(node))
    if (scoped.values === undefined || !ValuesNode.is(scoped.values) || scoped.columns === undefined) {
      throw new Error('Rows are inserted into a tenant table by values only.')
    }
    for (const column of scoped.columns) this.#refuseScopeColumn(column)
    const table = scoped.into?.table.identifier.name ?? ''
    refuseNewRows(this.#rules, table)
    const parent = parentOf(table)
    return parent === undefined
      ? this.#withScopeColumns(scoped, scoped.columns, scoped.values.values)
      : this.#withCheckedParent(scoped, parent, scoped.columns, scoped.values.values)
  }

  #withScopeColumns(
    node: InsertQueryNode,
    columns: readonly ColumnNode[],
    rows: readonly InsertedRow[],
  ): InsertQueryNode {
    const own = this.#columns.map(({ value }) => value)
    const values = rows.map((row) =>
      PrimitiveValueListNode.is(row)
        ? PrimitiveValueListNode.create([...row.values, ...own])
        : ValueListNode.create([...row.values, ...own.map((value) => ValueNode.create(value))]),
    )
    const added = this.#columns.map(({ name }) => ColumnNode.create(name))
    const onConflict = this.#guarded(node)
    return {
      ...node,
      columns: [...columns, ...added],
      values: ValuesNode.create(values),
      ...(onConflict !== undefined && { onConflict }),
    }
  }

  /** A reference to a row outside of the scope becomes NULL, which the column refuses. */
  #withCheckedParent(
    node: InsertQueryNode,
    parent: Parent,
    columns: readonly ColumnNode[],
    rows: readonly InsertedRow[],
  ): InsertQueryNode {
    const place = columns.findIndex(({ column }) => column.name === parent.column)
    if (place < 0 || node.onConflict !== undefined)
      throw new Error(`Rows of ${parent.table} get new rows by plain values, and with ${parent.column}.`)
    const values = rows.map((row) => {
      const nodes = PrimitiveValueListNode.is(row)
        ? row.values.map((value) => ValueNode.create(value))
        : [...row.values]
      return ValueListNode.create(
        nodes.map((value, index) => (index === place ? ownParent(parent, value, this.#columns) : value)),
      )
    })
    return { ...node, values: ValuesNode.create(values) }
  }

  /** An insert that meets an existing row updates it only inside the scope. */
  #guarded({ onConflict, into }: InsertQueryNode): OnConflictNode | undefined {
    if (onConflict?.updates === undefined || into === undefined) return onConflict
    const key = new Set(onConflict.columns?.map(({ column }) => column.name))
    if (this.#columns.every(({ name }) => key.has(name))) return onConflict
    const own = this.#conditionOn([scopedTable(into, into)])
    if (own === null) return onConflict
    const { updateWhere } = onConflict
    const where = updateWhere === undefined ? own : and(own, updateWhere.where)
    return { ...onConflict, updateWhere: WhereNode.create(where) }
  }

  protected override transformMergeQuery(_node: MergeQueryNode): MergeQueryNode {
    throw new Error('MERGE is not supported on tenant tables.')
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode): ColumnUpdateNode {
    this.#refuseScopeColumn(node.column)
    return super.transformColumnUpdate(node)
  }

  /** A WITH name is visible in the expressions after it, and with RECURSIVE in all of them. */
  protected override transformWith(node: WithNode): WithNode {
    const all = this.#derived
    const known = new Set([...all].filter((name) => node.recursive || !namesOf(node).includes(name)))
    const expressions = node.expressions.map((expression) => {
      this.#derived = new Set(known)
      const scoped = this.transformNode(expression)
      known.add(expression.name.table.table.identifier.name)
      return scoped
    })
    this.#derived = all
    return { ...node, expressions }
  }

  #within<T>(node: WithNode | undefined, transform: () => T): T {
    const outer = this.#derived
    this.#derived = new Set([...outer, ...(node === undefined ? [] : namesOf(node))])
    try {
      return transform()
    } finally {
      this.#derived = outer
    }
  }

  #restrict<Q extends RestrictedQuery>(query: Q, tables: ScopedTable[]): Q {
    const own = this.#conditionOn(tables, query)
    if (own === null || this.#isRestricted(query.where?.where, tables, query)) return query
    const where = query.where === undefined ? own : and(own, query.where.where)
    return { ...query, where: WhereNode.create(where) }
  }

  /** Whether an embedded query is scoped already: PostgreSQL would expect far fewer rows for a repeated condition. */
  #isRestricted(
    condition: OperationNode | undefined,
    [table, ...others]: ScopedTable[],
    query?: RestrictedQuery,
  ): boolean {
    if (
      condition === undefined ||
      table === undefined ||
      others.length > 0 ||
      parentOf(table.name) !== undefined
    )
      return false
    // The conditions of the query were transformed, so that these are comparable only after the same transformation.
    const reached = this.#reached([table], 'read', query).map((each) => this.transformNode(each))
    return isRestrictedTo(this.#columns, reached, { table, condition })
  }

  #tablesOf(from: FromNode | undefined): ScopedTable[] {
    return from?.froms.flatMap((table) => this.#tableOf(table)) ?? []
  }

  #tableOf(node: OperationNode): ScopedTable[] {
    const table = AliasNode.is(node) ? node.node : node
    return TableNode.is(table) && this.#derived.has(table.table.identifier.name) ? [] : tableIn(node)
  }

  /** @param query absent for the rows of a join */
  #conditionOn(tables: ScopedTable[], query?: RestrictedQuery): OperationNode | null {
    return tables.reduce<OperationNode | null>((all, table) => {
      const parent = parentOf(table.name)
      const own =
        parent === undefined
          ? rowsOf(this.#columns, table.reference)
          : hasOwnParent(parent, table, this.#columns)
      const reached = this.#reached([table], 'read', query).reduce(
        (both, each) => AndNode.create(both, each),
        own,
      )
      return all === null ? reached : AndNode.create(all, reached)
    }, null)
  }

  #reached(tables: ScopedTable[], operation: RowOperation, query?: RestrictedQuery): OperationNode[] {
    for (const { name } of tables) noteUse(name, operation)
    const rules = this.#rules
    if (rules === undefined) return []
    return tables.flatMap((table) => {
      const isOfOne = namesOne(query?.where?.where, table)
      const page =
        query !== undefined && SelectQueryNode.is(query) ? keyPageOf(query, this.#columns, table) : null
      return conditionsOf(rules, table, { operation, tenant: this.#tenant, isOfOne, page })
    })
  }

  #refuseScopeColumn(column: OperationNode): void {
    if (ColumnNode.is(column) && this.#columns.some(({ name }) => name === column.column.name))
      throw new Error(`Only the scope sets ${column.column.name}.`)
  }
}

type RestrictedQuery = OperationNode & Pick<SelectQueryNode, 'where'>
type InsertedRow = PrimitiveValueListNode | ValueListNode

/** A column that features read but cannot write: only the scope sets it. */
export type TenantColumn = ColumnType<string, undefined, undefined>

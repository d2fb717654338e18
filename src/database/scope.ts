/** Restricts each table in a query on tenant data to the tenant. */
import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type ColumnType,
  type ColumnUpdateNode,
  type DeleteQueryNode,
  type FromNode,
  IdentifierNode,
  type InsertQueryNode,
  type JoinNode,
  type JoinType,
  type KyselyPlugin,
  type MergeQueryNode,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  ParensNode,
  PrimitiveValueListNode,
  RawNode,
  ReferenceNode,
  type SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
  type WithNode,
} from 'kysely'

export const tenantColumn = 'tenant_id'

/** @param tenant the tenant's id, or the placeholder of a prepared query */
export function scopeToTenant(tenant: unknown): KyselyPlugin {
  const scope = new TenantScope(tenant)
  return {
    transformQuery: ({ node, queryId }) => scope.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  }
}

/** A condition on the joined table restricts these joins; right and full joins keep rows that fail it. */
const restrictable: ReadonlySet<JoinType> = new Set(['InnerJoin', 'LeftJoin'])

class TenantScope extends OperationNodeTransformer {
  readonly #tenant: unknown
  /** The WITH names that are visible at this point. Their own queries are scoped. */
  #derived: ReadonlySet<string> = new Set()

  constructor(tenant: unknown) {
    super()
    this.#tenant = tenant
  }

  protected override transformSelectQuery(node: SelectQueryNode): SelectQueryNode {
    return this.#within(node.with, () => {
      const scoped = super.transformSelectQuery(node)
      return this.#restrict(scoped, this.#tablesOf(scoped.from))
    })
  }

  protected override transformUpdateQuery(node: UpdateQueryNode): UpdateQueryNode {
    return this.#within(node.with, () => {
      const scoped = super.transformUpdateQuery(node)
      return this.#restrict(scoped, [...tableIn(scoped.table), ...this.#tablesOf(scoped.from)])
    })
  }

  protected override transformDeleteQuery(node: DeleteQueryNode): DeleteQueryNode {
    return this.#within(node.with, () => {
      const scoped = super.transformDeleteQuery(node)
      const using = scoped.using?.tables.flatMap((table) => this.#tableOf(table)) ?? []
      return this.#restrict(scoped, [...scoped.from.froms.flatMap(tableIn), ...using])
    })
  }

  protected override transformJoin(node: JoinNode): JoinNode {
    const scoped = super.transformJoin(node)
    const tables = this.#tableOf(scoped.table)
    const own = this.#tenantCondition(tables)
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
    scoped.columns.forEach(refuseTenantColumn)
    const values = scoped.values.values.map((row) =>
      PrimitiveValueListNode.is(row)
        ? PrimitiveValueListNode.create([...row.values, this.#tenant])
        : ValueListNode.create([...row.values, ValueNode.create(this.#tenant)]),
    )
    return {
      ...scoped,
      columns: [...scoped.columns, ColumnNode.create(tenantColumn)],
      values: ValuesNode.create(values),
    }
  }

  protected override transformMergeQuery(_node: MergeQueryNode): MergeQueryNode {
    throw new Error('MERGE is not supported on tenant tables.')
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode): ColumnUpdateNode {
    refuseTenantColumn(node.column)
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

  #restrict<Q extends { readonly where?: WhereNode }>(query: Q, tables: OperationNode[]): Q {
    const own = this.#tenantCondition(tables)
    if (own === null || this.#isRestricted(query.where?.where, tables)) return query
    const where = query.where === undefined ? own : and(own, query.where.where)
    return { ...query, where: WhereNode.create(where) }
  }

  /** Whether the query is scoped already: a subquery was scoped when it was embedded. */
  #isRestricted(condition: OperationNode | undefined, [table, ...others]: OperationNode[]): boolean {
    if (condition === undefined || table === undefined || others.length > 0) return false
    const first = AndNode.is(condition) ? condition.left : condition
    if (!BinaryOperationNode.is(first)) return false
    const { leftOperand: left, rightOperand: right } = first
    return (
      ReferenceNode.is(left) &&
      ColumnNode.is(left.column) &&
      left.column.column.name === tenantColumn &&
      left.table?.table.identifier.name === (table as TableNode).table.identifier.name && // only tables get here
      ValueNode.is(right) &&
      right.value === this.#tenant
    )
  }

  #tablesOf(from: FromNode | undefined): OperationNode[] {
    return from?.froms.flatMap((table) => this.#tableOf(table)) ?? []
  }

  #tableOf(node: OperationNode): OperationNode[] {
    const table = AliasNode.is(node) ? node.node : node
    return TableNode.is(table) && this.#derived.has(table.table.identifier.name) ? [] : tableIn(node)
  }

  #tenantCondition(tables: OperationNode[]): OperationNode | null {
    return tables.reduce<OperationNode | null>((all, table) => {
      const own = BinaryOperationNode.create(
        ReferenceNode.create(ColumnNode.create(tenantColumn), table as TableNode), // only tables get here
        OperatorNode.create('='),
        ValueNode.create(this.#tenant),
      )
      return all === null ? own : AndNode.create(all, own)
    }, null)
  }
}

/** The caller's condition is in parentheses: an OR in it must not bypass the tenant. */
function and(own: OperationNode, condition: OperationNode): OperationNode {
  return AndNode.create(own, ParensNode.create(condition))
}

/** The alias or the name of a tenant table. Subqueries are scoped separately. */
function tableIn(node: OperationNode | undefined): OperationNode[] {
  if (node === undefined) return []
  const named = AliasNode.is(node) ? node.node : node
  if (RawNode.is(named)) throw new Error('A table of raw SQL cannot be scoped.')
  if (!TableNode.is(named)) return []
  if (!AliasNode.is(node)) return [node]
  if (!IdentifierNode.is(node.alias)) throw new Error('A tenant table needs a plain alias.')
  return [TableNode.create(node.alias.name)]
}

function namesOf(node: WithNode): string[] {
  return node.expressions.map(({ name }) => name.table.table.identifier.name)
}

function refuseTenantColumn(column: OperationNode): void {
  if (ColumnNode.is(column) && column.column.name === tenantColumn) {
    throw new Error('Only the scope sets the tenant of a row.')
  }
}

/** Written by the tenant scope alone. */
export type TenantColumn = ColumnType<string, undefined, undefined>

/** Adds the conditions of access rules to the tables of a query, beside the condition on the tenant. */
import { AndNode, type OperationNode, WhereNode } from 'kysely'
import type { Dialect } from './executor.ts'
import type { KeyPage } from './row-page.ts'
import type { RowReach } from './row-reach.ts'
import type { RowOperation, ValueOf } from './row-rule.ts'
import type { ScopedTable } from './scope-condition.ts'

export interface ScopeRules {
  /** The caller's access. */
  reach: RowReach
  dialect: Dialect
  /** The placeholder, or the value, of a value of a rule. */
  placeholderOf: ValueOf
}

/** @returns the condition of the table's rules, if it has any that restrict the caller */
export function conditionsOf(
  { reach, dialect, placeholderOf }: ScopeRules,
  { name, reference }: ScopedTable,
  use: { operation: RowOperation; tenant: unknown; isOfOne: boolean; page: KeyPage | null },
): OperationNode[] {
  if (!reach.restricts(name)) return []
  const alias = reference.table.identifier.name
  const { operation, ...given } = use
  const condition = reach.condition(name, operation, { alias, dialect, placeholderOf, ...given })
  return condition === null ? [] : [condition.toOperationNode()]
}

/** The operations that an insert may amount to: on a conflict it updates the existing row. */
const usesOfNewRows = ['create', 'keep', 'update'] as const

/**
 * Refuses a plain insert for a caller whose access is restricted: whether a new row meets its rules can be tested only
 * after it was written, which only the functions of entities do.
 * @throws Error for a caller whose rows of the table are restricted
 */
export function refuseNewRows(rules: ScopeRules | undefined, table: string): void {
  for (const operation of usesOfNewRows) noteUse(table, operation)
  if (rules === undefined || usesOfNewRows.every((each) => rules.reach.reachesAll(table, each))) return
  throw new Error(
    `Rows of ${table} have rules: insert them by the functions of the entity, or with asTenant(context).`,
  )
}

/** Adds conditions to those that a query has. */
export function restrictedBy<Q extends { readonly where?: WhereNode }>(
  query: Q,
  conditions: readonly OperationNode[],
): Q {
  const [first, ...others] = conditions
  if (first === undefined) return query
  const all = others.reduce((both, each) => AndNode.create(both, each), first)
  const where = query.where === undefined ? all : AndNode.create(query.where.where, all)
  return { ...query, where: WhereNode.create(where) }
}

/** A use of a table that a scope restricts: the table, and an operation of the query on it. */
export interface TableUse {
  table: string
  operation: RowOperation
}

/** The uses of tables in the query that is being built; `null` while nobody collects them. */
let seen: Map<string, TableUse> | null = null

/** Records a use. It has to be called for each table that a scope restricts, and for each operation. */
export function noteUse(table: string, operation: RowOperation): void {
  seen?.set(`${table}/${operation}`, { table, operation })
}

/** @returns what was built, and what its query does with the tables that a scope restricts */
export function collectingUses<T>(build: () => T): { built: T; uses: readonly TableUse[] } {
  const uses = new Map<string, TableUse>()
  seen = uses
  try {
    return { built: build(), uses: [...uses.values()] }
  } finally {
    seen = null
  }
}

/**
 * Explains to an operator why access rules permit or refuse a caller a row: each branch of a rule with its outcome, and
 * the statement with its plan and its indexes.
 */
import { Kysely, sql } from 'kysely'
import type { TenantData } from './data.ts'
import { compileOnly } from './dialect.ts'
import { isPermitted } from './row-check.ts'
import type { RowReach } from './row-reach.ts'
import type { RowCondition, RowOperation } from './row-rule.ts'

/** A condition within a rule, such as one of the alternatives of an `any`. */
export interface Branch {
  /** The depth of the branch within the rule, from 0. */
  depth: number
  text: string
  /** The column of the row that the branch looks at. */
  column: string | null
  /** Whether the row meets the condition; `null` if that depends on a row and none is given. */
  holds: boolean | null
}

export interface ExplainedStatement {
  sql: string
  parameters: readonly unknown[]
  plan: string[]
  indexes: string[]
}

interface Explained {
  table: string
  operation: RowOperation
  id: string | null
}

/** @returns whether the rule holds; `null` if that depends on a row and no id is given */
export async function outcomeOf(
  data: TenantData,
  reach: RowReach,
  { table, operation, id }: Explained,
): Promise<boolean | null> {
  if (id !== null) return isPermitted(data, reach, { table, id, operations: [operation] })
  if (reach.reachesAll(table, operation)) return true
  return reach.mayReach(table, operation) ? null : false
}

/** @param reach the caller's access @returns the branches of the operation's rule, the outermost first */
export async function explainBranches(
  data: TenantData,
  reach: RowReach,
  { table, operation, id }: Explained,
): Promise<Branch[]> {
  const branches: Branch[] = []
  const add = async (condition: RowCondition, depth: number): Promise<void> => {
    const holds = await outcomeOf(data, reach.within(table, operation, condition), { table, operation, id })
    const column = 'column' in condition ? condition.column : null
    branches.push({ depth, text: textOf(condition, reach), column, holds })
    if (condition.kind === 'any' || condition.kind === 'all')
      for (const part of condition.parts) await add(part, depth + 1)
  }
  const rule = reach.rules.get(table)?.operations[operation]
  if (rule !== undefined) await add(rule, 0)
  return branches
}

function textOf(condition: RowCondition, reach: RowReach): string {
  switch (condition.kind) {
    case 'any':
      return 'any of'
    case 'all':
      return 'all of'
    case 'caller':
      return 'the caller may'
    case 'value': {
      const values = condition.of(reach.caller)
      return `${condition.column} is ${values.length === 0 ? 'a value that the caller does not have' : values.join(' or ')}`
    }
    case 'membership': {
      const { table, userColumn, valueColumn } = condition.of
      return `${condition.column} is the ${valueColumn} of a ${table} whose ${userColumn} is the caller`
    }
    case 'referred':
      return `${condition.column} refers to a ${condition.table}, of which: ${textOf(condition.condition, reach)}`
    case 'like':
      return `${condition.column} refers to a ${condition.table} in reach`
    case 'named':
      return `a ${condition.by.table} in reach names it by ${condition.by.column}`
    case 'unnamed':
      return 'no row names it'
  }
}

const limit = 50

/**
 * Explains the statement that reads the first rows that all of the operations are permitted on, or the row with the
 * id.
 */
export async function explainStatement(
  { executor, tenantId }: TenantData,
  reach: RowReach,
  { table, operations, id }: { table: string; operations: readonly RowOperation[]; id: string | null },
): Promise<ExplainedStatement> {
  const { dialect } = executor
  const placeholderOf = (name: string) => reach.value(name, dialect)
  const given = { alias: table, dialect, tenant: tenantId, placeholderOf, isOfOne: id !== null }
  const conditions = operations.flatMap((operation) => reach.condition(table, operation, given) ?? [])
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const all = [
    sql`${column('tenant_id')} = ${tenantId}`,
    ...(id === null ? [] : [sql`${column('id')} = ${id}`]),
    ...conditions,
  ]
  const query = sql`select ${column('id')} from ${sql.table(table)}
    where ${sql.join(all, sql` and `)} order by ${column('id')} limit ${sql.lit(limit)}`
  const compiled = query.compile(new Kysely({ dialect: compileOnly(dialect) }))
  const explain = dialect === 'sqlite' ? 'explain query plan' : 'explain'
  const { rows } = await executor.run(`${explain} ${compiled.sql}`, compiled.parameters, false)
  const plan = rows.map((row) => String(row[dialect === 'sqlite' ? 'detail' : 'QUERY PLAN']))
  return {
    sql: compiled.sql.replaceAll(/\s+/g, ' '),
    parameters: compiled.parameters,
    plan,
    indexes: [...new Set(plan.flatMap((line) => indexIn(line) ?? []))],
  }
}

function indexIn(line: string): string | undefined {
  const named = /USING (?:COVERING )?INDEX (\S+)|Index (?:Only )?Scan using (\S+)|Bitmap Index Scan on (\S+)/
  const [, sqlite, postgres, bitmap] = named.exec(line) ?? []
  return sqlite ?? postgres ?? bitmap ?? (/USING PRIMARY KEY/.test(line) ? 'PRIMARY KEY' : undefined)
}

/** @returns the columns of the row by name, or `null` */
export async function rowToExplain(
  { executor, tenantId }: TenantData,
  table: string,
  id: string,
): Promise<Record<string, unknown> | null> {
  const query = sql`select * from ${sql.table(table)} as checked where checked.tenant_id = ${tenantId} and checked.id = ${id}`
  const compiled = query.compile(new Kysely({ dialect: compileOnly(executor.dialect) }))
  const { rows } = await executor.run(compiled.sql, compiled.parameters, false)
  return rows[0] ?? null
}

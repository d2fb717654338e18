/** Checks whether access rules permit a caller's operation on a row that was found or written. */
import { Kysely, type SqlBool, sql } from 'kysely'
import type { TenantData } from './data.ts'
import { compileOnly } from './dialect.ts'
import type { RowReach } from './row-reach.ts'
import type { RowOperation } from './row-rule.ts'

interface CheckedRow {
  table: string
  id: string
  operations: readonly RowOperation[]
}

/** @returns whether the rules of all of the operations hold for the row, as the transaction sees it */
export async function isPermitted(
  { executor, tenantId }: TenantData,
  reach: RowReach,
  { table, id, operations }: CheckedRow,
): Promise<boolean> {
  const { dialect } = executor
  const given = {
    alias: 'checked',
    dialect,
    tenant: tenantId,
    placeholderOf: (name: string) => reach.value(name, dialect),
    isOfOne: true,
  }
  const conditions = operations.flatMap((operation) => reach.condition(table, operation, given) ?? [])
  if (conditions.length === 0) return true
  const found = sql<SqlBool>`select 1 from ${sql.table(table)} as checked
    where checked.tenant_id = ${tenantId} and checked.id = ${id} and ${sql.join(conditions, sql` and `)}`
  const compiled = found.compile(new Kysely({ dialect: compileOnly(dialect) }))
  const { rows } = await executor.run(compiled.sql, compiled.parameters, true)
  return rows.length > 0
}

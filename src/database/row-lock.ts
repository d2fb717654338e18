/**
 * Locks the rows of other tables that an access rule consults, such as memberships. On PostgreSQL each statement of a
 * transaction sees what was committed before it: without a lock, a membership could be removed between the check of a
 * write and its commit. SQLite needs no lock, because it has one writer at a time.
 */
import { Kysely, type RawBuilder, sql } from 'kysely'
import type { TenantData } from './data.ts'
import { compileOnly } from './dialect.ts'
import type { RowReach } from './row-reach.ts'
import type { Decided, RowOperation } from './row-rule.ts'

interface Rows {
  table: string
  /** A list of ids, or a query of them. */
  ids: RawBuilder<unknown>
}

/**
 * Locks the rows on which the caller's access to this row depends: memberships, and rows that it refers to. Nobody
 * changes them until the transaction ends. The lock waits for transactions that are changing one of them.
 */
export async function lockConsulted(
  data: TenantData,
  reach: RowReach,
  { table, id, operations }: { table: string; id: string; operations: readonly RowOperation[] },
): Promise<void> {
  if (data.executor.dialect !== 'postgres') return
  for (const operation of operations)
    await lock(data, reach, reach.decided(table, operation), { table, ids: sql`${id}` })
}

/** Locks a row that a written row refers to, and the rows on which the caller's access to it depends. */
export async function lockReferred(
  data: TenantData,
  reach: RowReach,
  { table, id }: { table: string; id: string },
): Promise<void> {
  if (data.executor.dialect !== 'postgres' || reach.readsAll(table)) return
  await share(data, table, sql`held.id = ${id}`)
  await lockConsulted(data, reach, { table, id, operations: ['read'] })
}

/** Follows references outwards from the row: the references of a row cannot change once that row is locked. */
async function lock(data: TenantData, reach: RowReach, decided: Decided, rows: Rows): Promise<void> {
  if (typeof decided === 'boolean') return
  switch (decided.kind) {
    case 'any':
    case 'all':
      for (const part of decided.parts) await lock(data, reach, part, rows)
      return
    case 'value':
    case 'named': // whoever writes a row that names this one checks that in the same transaction
    case 'unnamed': // there is no row to lock
      return
    case 'membership': {
      const { table, userColumn, valueColumn } = decided.of
      const { dialect } = data.executor
      const own = sql`${sql.ref(`held.${userColumn}`)} = ${reach.value(decided.name, dialect)}`
      const values = referredBy(data, decided.column, rows)
      return share(data, table, sql`${own} and ${sql.ref(`held.${valueColumn}`)} in (${values})`)
    }
    case 'referred': {
      if (decided.condition === true) return
      const ids = referredBy(data, decided.column, rows)
      await share(data, decided.table, sql`held.id in (${ids})`)
      return lock(data, reach, decided.condition, { table: decided.table, ids })
    }
  }
}

function referredBy({ tenantId }: TenantData, column: string, { table, ids }: Rows): RawBuilder<unknown> {
  return sql`select ${sql.ref(`naming.${column}`)} from ${sql.table(table)} as naming
    where naming.tenant_id = ${tenantId} and naming.id in (${ids})`
}

async function share(
  { executor, tenantId }: TenantData,
  table: string,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const query = sql`select 1 from ${sql.table(table)} as held
    where held.tenant_id = ${tenantId} and ${condition} for share`
  const compiled = query.compile(new Kysely({ dialect: compileOnly(executor.dialect) }))
  await executor.run(compiled.sql, compiled.parameters, true)
}

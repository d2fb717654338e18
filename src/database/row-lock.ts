/**
 * Locks what a rule consults beside the row. On PostgreSQL each statement of a transaction sees what was committed before it:
 * without a lock, a membership could be removed between the check of a write and its commit.
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
 * Until the transaction ends, nobody changes the rows by which the caller may reach this one: memberships, and rows that it
 * refers to. Whoever is changing one is waited for. SQLite has one writer anyway.
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

/** Locks a row that a written one refers to, and what decides its reach: it stays in the reach of the caller. */
export async function lockReferred(
  data: TenantData,
  reach: RowReach,
  { table, id }: { table: string; id: string },
): Promise<void> {
  if (data.executor.dialect !== 'postgres' || reach.readsAll(table)) return
  await share(data, table, sql`held.id = ${id}`)
  await lockConsulted(data, reach, { table, id, operations: ['read'] })
}

/** The rows nearest to the caller's own last: what a row refers to is stable while that row is locked. */
async function lock(data: TenantData, reach: RowReach, decided: Decided, rows: Rows): Promise<void> {
  if (typeof decided === 'boolean') return
  switch (decided.kind) {
    case 'any':
    case 'all':
      for (const part of decided.parts) await lock(data, reach, part, rows)
      return
    case 'value':
    case 'named': // by rows whose writers test in their own transaction that they may name it
    case 'unnamed':
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

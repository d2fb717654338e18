/** Counts rows of all tenants of a database, for metrics and for the operator. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { QueueData, type TenantData } from './data.ts'
import type { Database, Dialect } from './executor.ts'
import { type Prepared, type PreparedFor, prepareForAll } from './prepared.ts'
import type { QueueTables } from './tenant-tables.ts'

/** The limit for the counts of one database, whose indexes may have millions of rows. */
export const countTimeoutMs = 10_000

export interface TenantCount {
  tenant_id: string
  count: number
}

/**
 * Counts rows by tenant, for `countApart`: those with the highest counts.
 * @param isCounted the condition of a partial index, written exactly like there, so that the database uses the index
 */
export function countsByTenant(
  table: keyof QueueTables,
  isCounted: (dialect: Dialect) => RawBuilder<SqlBool>,
): PreparedFor<'queue', { tenants: number }, TenantCount> {
  const name = table as 'event' // typed as one table, because there is no type for any
  return prepareForAll((tables, p: { tenants: number }, dialect) =>
    tables
      .selectFrom(name)
      .select(({ fn }) => ['tenant_id', fn.countAll<number>().as('count')])
      .where(isCounted(dialect))
      .groupBy('tenant_id')
      .orderBy('count', 'desc')
      .limit(sql<number>`${p.tenants}`),
  )
}

/**
 * @param isCounted the condition of a partial index, as in `countsByTenant`
 * @returns a function that reads which tenants of a database have such rows, in the order of their ids
 */
export function tenantsWith(table: keyof QueueTables, isCounted: (dialect: Dialect) => RawBuilder<SqlBool>) {
  const name = table as 'event' // typed as one table, because there is no type for any
  const tenants = prepareForAll((tables, p: { after: string; tenants: number }, dialect) =>
    tables
      .selectFrom(name)
      .select('tenant_id')
      .distinct()
      .where(isCounted(dialect))
      .where('tenant_id', '>', p.after)
      .orderBy('tenant_id')
      .limit(sql<number>`${p.tenants}`),
  )
  /** @throws StatementTimedOut, DatabaseUnavailable */
  return async (database: Database, after: string, limit: number): Promise<string[]> => {
    const queue = new QueueData(database.executor, database)
    const rows = await countApart(queue, tenants, { after, tenants: limit })
    return rows.map(({ tenant_id: id }) => id)
  }
}

/**
 * Counts without blocking other statements: on SQLite on the thread for scans, on PostgreSQL like any statement,
 * because the few connections for scans are left to tenants.
 * @throws StatementTimedOut, DatabaseUnavailable
 */
export async function countApart<P extends object, R>(
  queue: QueueData,
  query: PreparedFor<'queue', P, R>,
  parameters: P,
  time = { leftMs: countTimeoutMs },
): Promise<R[]> {
  if (queue.executor.dialect === 'postgres') return queue.all(query, parameters)
  return rowsOf(queue.scan(query, parameters, time))
}

/**
 * Counts rows of one tenant like `countApart`. The statement runs rarely, so the database does not keep it prepared.
 * @throws StatementTimedOut, DatabaseUnavailable
 */
export async function countInTenant<P extends object, R>(
  data: TenantData,
  query: Prepared<P, R>,
  parameters: P,
  time = { leftMs: countTimeoutMs },
): Promise<R[]> {
  if (data.executor.dialect === 'postgres') return data.all(query, parameters, false)
  return rowsOf(data.scan(query, parameters, time))
}

async function rowsOf<R>(batches: AsyncIterable<R[]>): Promise<R[]> {
  const rows: R[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

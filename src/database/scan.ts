/**
 * Reads that no index bounds. A read that was quick for a tenant runs directly, with the other reads, at half the cost;
 * any other runs as a scan.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TenantData } from './data.ts'
import { type Dialect, StatementTimedOut, type TimeAllowance } from './executor.ts'
import { LruMap } from './lru-map.ts'
import type { Prepared } from './prepared.ts'
import { inTime } from './sqlite/time-limit.ts'

/** A scan that took at most this time, including the round trip, may run directly the next time. */
const quickMs = { sqlite: 5, postgres: 20 }
/** A direct read that took longer becomes a scan again. On PostgreSQL it does not block other reads. */
const slowMs = { sqlite: 15, postgres: 100 }
const slowForMs = 60_000

/** For each statement and tenant, until when it counts as slow; 0 for a quick one. */
const history = new WeakMap<object, LruMap<string, number>>()
const maxTenants = 1000

/** Direct reads whose pace is not known yet, by tenant. */
const trials = new WeakMap<object, Map<string, Promise<unknown>>>()

/**
 * A condition that on SQLite also ends a statement that takes too long. One row in sixteen checks the time, because a
 * check costs as much as testing a row. Every unbounded read of this file has it. PostgreSQL has time-outs.
 * @param column of the table whose rows are tested, so that SQLite evaluates the check for each row
 */
export function withinTime(
  dialect: Dialect,
  column: string,
  condition: RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  if (dialect === 'postgres') return condition
  const checked = sql`(random() & 15) <> 0 or ${sql.raw(inTime)}(${sql.ref(column)})`
  // Always true. Without the likelihood SQLite would expect it to exclude rows, and choose another index.
  return sql`likelihood(${checked}, 1.0) and ${condition}`
}

/** Reads all rows of a read that returns few. @throws StatementTimedOut, DatabaseBusy */
export async function scanAll<P extends object, R>(
  data: TenantData,
  query: Prepared<P, R>,
  { parameters, time, reusable = true }: { parameters: P; time: TimeAllowance; reusable?: boolean },
): Promise<R[]> {
  const direct = isQuick(data, query) ? await readDirectly(data, query, { parameters, reusable }) : null
  if (direct !== null) return direct
  const rows: R[] = []
  for await (const batch of recordingPace(data, query, data.scan(query, parameters, time)))
    rows.push(...batch)
  return rows
}

/** Whether the read was quick for this tenant. */
export function isQuick<P, R>(data: TenantData, query: Prepared<P, R>): boolean {
  return history.get(query)?.get(data.tenantId) === 0
}

/** Whether the read was slow for this tenant recently. */
export function isSlow(data: TenantData, query: object): boolean {
  return (history.get(query)?.get(data.tenantId) ?? 0) > performance.now()
}

/** @returns a promise that settles when another reader of the tenant knows the pace of the read; `null` without one */
export function trialOf(data: TenantData, query: object): Promise<unknown> | null {
  const trial = trials.get(query)?.get(data.tenantId)
  return trial?.catch(() => undefined) ?? null // its own reader gets the error
}

/**
 * Reads directly. While the pace of the read is unknown, other readers wait for this one: otherwise many that begin
 * together would each run a slow read.
 * @param read calls `recordPace` if it was slow
 */
export async function asTrial<R>(data: TenantData, query: object, read: () => Promise<R>): Promise<R> {
  if (history.get(query)?.get(data.tenantId) === 0) return read()
  const ofQuery = trials.get(query) ?? new Map<string, Promise<unknown>>()
  trials.set(query, ofQuery)
  const trial = read()
  ofQuery.set(data.tenantId, trial)
  try {
    const result = await trial
    if (!isSlow(data, query)) recordPace(data, query, 'quick')
    return result
  } finally {
    ofQuery.delete(data.tenantId)
  }
}

/** @returns `null` after a time-out: the read has to run as a scan */
export async function readDirectly<P extends object, R>(
  data: TenantData,
  query: Prepared<P, R>,
  { parameters, reusable, as = query }: { parameters: P; reusable: boolean; as?: object },
): Promise<R[] | null> {
  const beganMs = performance.now()
  try {
    const rows = await data.all(query, parameters, reusable)
    if (performance.now() - beganMs > slowMs[data.executor.dialect]) recordPace(data, as, 'slow')
    return rows
  } catch (error) {
    if (!(error instanceof StatementTimedOut)) throw error
    recordPace(data, as, 'slow')
    return null
  }
}

/** Passes on the batches of a scan, and records whether it was quick. */
export async function* recordingPace<P, R>(
  data: TenantData,
  query: Prepared<P, R>,
  batches: AsyncIterable<R[]>,
) {
  const beganMs = performance.now()
  for await (const batch of batches) yield batch
  const isOver = performance.now() - beganMs <= quickMs[data.executor.dialect]
  if (isOver && !isSlow(data, query)) recordPace(data, query, 'quick')
}

export function recordPace(data: TenantData, query: object, pace: 'quick' | 'slow'): void {
  let tenants = history.get(query)
  if (tenants === undefined) {
    tenants = new LruMap(maxTenants)
    history.set(query, tenants)
  }
  tenants.set(data.tenantId, pace === 'quick' ? 0 : performance.now() + slowForMs)
}

/**
 * Runs reads that no index bounds. A scan does not delay other reads but costs twice as much. A read that was quick
 * for a tenant the last time therefore runs directly, together with other reads; any other runs as a scan.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TenantData } from './data.ts'
import { type Dialect, StatementTimedOut, type TimeAllowance } from './executor.ts'
import { LruMap } from './lru-map.ts'
import type { Prepared } from './prepared.ts'
import { inTime } from './sqlite/time-limit.ts'

/** A scan whose statement took at most this time may run directly the next time: on SQLite processor time. */
const quickMs = { sqlite: 5, postgres: 20 }
/**
 * On PostgreSQL a direct read that took longer becomes a scan again; it does not block other reads. On SQLite a direct
 * read ends by itself when it has taken too much processor time: a clock would count the pauses of the process as well.
 */
const slowMs = { sqlite: Number.POSITIVE_INFINITY, postgres: 100 }
/** How long a slow read runs as a scan at least. After that, a read that has become quick runs directly again. */
const slowForMs = 1000
/** Stands for an unlimited allowance, from which nothing can be subtracted. */
const longMs = 1e9

/** The moment until which a statement counts as slow, by statement and tenant; 0 for a quick one. */
const history = new WeakMap<object, LruMap<string, number>>()
const maxTenants = 1000

/** Direct reads in progress of which it is not known yet whether they are quick, by statement and tenant. */
const trials = new WeakMap<object, Map<string, Promise<unknown>>>()

/**
 * A condition that on SQLite also ends a statement that takes too long. Only some rows check the time, because a check
 * costs more than testing a row. Every unbounded read of this file has it. PostgreSQL has time-outs.
 * @param column of the table whose rows are tested, so that SQLite evaluates the check for each row
 * @param rowsPerCheck on average, a power of two
 */
export function withinTime(
  dialect: Dialect,
  column: string,
  condition: RawBuilder<SqlBool>,
  rowsPerCheck = 16,
): RawBuilder<SqlBool> {
  if (dialect === 'postgres') return condition
  const checked = sql`(random() & ${sql.lit(rowsPerCheck - 1)}) <> 0 or ${sql.raw(inTime)}(${sql.ref(column)})`
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
  const batches = recordingPace(data, query, time, (own) => data.scan(query, parameters, own))
  for await (const batch of batches) rows.push(...batch)
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
    // After a failure, several readers may try at once: each removes only its own trial.
    if (ofQuery.get(data.tenantId) === trial) ofQuery.delete(data.tenantId)
  }
}

/** @returns `null` after a time-out: the read has to run as a scan */
export async function readDirectly<P extends object, R>(
  data: TenantData,
  query: Prepared<P, R>,
  { parameters, reusable, as = query }: { parameters: P; reusable: boolean; as?: object },
): Promise<R[] | null> {
  try {
    const { rows, elapsedMs = 0 } = await data.timed(query, parameters, reusable)
    if (elapsedMs > slowMs[data.executor.dialect]) recordPace(data, as, 'slow')
    return rows
  } catch (error) {
    if (!(error instanceof StatementTimedOut)) throw error
    recordPace(data, as, 'slow')
    return null
  }
}

/**
 * Passes on the batches of a scan, and records whether it was quick. Only the time of its statement counts: under load
 * it waits for others as well.
 * @param scan reads within the allowance that it gets
 */
export async function* recordingPace<R>(
  data: TenantData,
  query: object,
  time: TimeAllowance,
  scan: (time: TimeAllowance) => AsyncIterable<R[]>,
) {
  const own = new MeasuredTime(time)
  for await (const batch of scan(own)) yield batch
  const wasQuick = own.spentMs <= quickMs[data.executor.dialect]
  if (wasQuick && !isSlow(data, query)) recordPace(data, query, 'quick')
}

/** Passes the time of one read on to the allowance of its reader. */
class MeasuredTime implements TimeAllowance {
  spentMs = 0
  readonly #allowance: TimeAllowance

  constructor(allowance: TimeAllowance) {
    this.#allowance = allowance
  }

  get leftMs(): number {
    return Math.min(this.#allowance.leftMs, longMs)
  }

  set leftMs(leftMs: number) {
    const spentMs = this.leftMs - leftMs
    this.spentMs += spentMs
    this.#allowance.leftMs -= spentMs
  }
}

export function recordPace(data: TenantData, query: object, pace: 'quick' | 'slow'): void {
  let tenants = history.get(query)
  if (tenants === undefined) {
    tenants = new LruMap(maxTenants)
    history.set(query, tenants)
  }
  tenants.set(data.tenantId, pace === 'quick' ? 0 : performance.now() + slowForMs)
}

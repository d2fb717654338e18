/**
 * Reads that no index bounds. One that has proved quick for a tenant runs where everybody reads, because that costs half;
 * any other runs as a scan.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TenantData } from './data.ts'
import { type Dialect, StatementTimedOut, type TimeAllowance } from './executor.ts'
import { LruMap } from './lru-map.ts'
import type { Prepared } from './prepared.ts'
import { inTime } from './sqlite/time-limit.ts'

/** A scan that took no longer, on its way there and back included, may be tried directly the next time. */
const quickMs = { sqlite: 5, postgres: 20 }
/** A direct read that took longer is a scan again. PostgreSQL keeps nobody waiting for it. */
const slowMs = { sqlite: 15, postgres: 100 }
const slowForMs = 60_000

/** What is known of a statement, by tenant: until when it counts as slow; 0 for a quick one. */
const history = new WeakMap<object, LruMap<string, number>>()
const maxTenants = 1000

/** Direct reads whose pace nobody knows yet, by tenant. */
const trials = new WeakMap<object, Map<string, Promise<unknown>>>()

/**
 * A condition that on SQLite also ends a statement that takes too long: one row in sixteen asks for the time, because
 * to ask takes as long as to judge a row. Every read through this file has it in its WHERE, unless it is over soon by
 * itself. PostgreSQL has time-outs of its own.
 * @param column of the table whose rows are judged, so that it is asked for each
 */
export function withinTime(
  dialect: Dialect,
  column: string,
  condition: RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  if (dialect === 'postgres') return condition
  const asked = sql`(random() & 15) <> 0 or ${sql.raw(inTime)}(${sql.ref(column)})`
  // Always true. SQLite would expect it to drop rows, and read an index first for its sake.
  return sql`likelihood(${asked}, 1.0) and ${condition}`
}

/** All rows of a read that gives few. @throws StatementTimedOut, DatabaseBusy */
export async function scanAll<P extends object, R>(
  data: TenantData,
  query: Prepared<P, R>,
  { parameters, time, reusable = true }: { parameters: P; time: TimeAllowance; reusable?: boolean },
): Promise<R[]> {
  const direct = isQuick(data, query) ? await readDirectly(data, query, { parameters, reusable }) : null
  if (direct !== null) return direct
  const rows: R[] = []
  for await (const batch of timed(data, query, data.scan(query, parameters, time))) rows.push(...batch)
  return rows
}

/** Whether it has proved quick for this tenant. */
export function isQuick<P, R>(data: TenantData, query: Prepared<P, R>): boolean {
  return history.get(query)?.get(data.tenantId) === 0
}

/** Whether it has proved slow not long ago. */
export function isSlow(data: TenantData, query: object): boolean {
  return (history.get(query)?.get(data.tenantId) ?? 0) > performance.now()
}

/** @returns settled when another reader of the tenant has found out whether the read is quick; `null` if nobody tries */
export function trialOf(data: TenantData, query: object): Promise<unknown> | null {
  const trial = trials.get(query)?.get(data.tenantId)
  return trial?.catch(() => undefined) ?? null // it fails for whoever made it
}

/**
 * Makes a direct read, and lets others know its pace where nobody does: many that begin at once would all find out for
 * themselves that it is slow.
 * @param read says `slow` by `remember`
 */
export async function asTrial<R>(data: TenantData, query: object, read: () => Promise<R>): Promise<R> {
  if (history.get(query)?.get(data.tenantId) === 0) return read()
  const ofQuery = trials.get(query) ?? new Map<string, Promise<unknown>>()
  trials.set(query, ofQuery)
  const trial = read()
  ofQuery.set(data.tenantId, trial)
  try {
    const result = await trial
    if (!isSlow(data, query)) remember(data, query, 'quick')
    return result
  } finally {
    ofQuery.delete(data.tenantId)
  }
}

/** @returns `null` when it was given up: it is to be a scan */
export async function readDirectly<P extends object, R>(
  data: TenantData,
  query: Prepared<P, R>,
  { parameters, reusable, as = query }: { parameters: P; reusable: boolean; as?: object },
): Promise<R[] | null> {
  const beganMs = performance.now()
  try {
    const rows = await data.all(query, parameters, reusable)
    if (performance.now() - beganMs > slowMs[data.executor.dialect]) remember(data, as, 'slow')
    return rows
  } catch (error) {
    if (!(error instanceof StatementTimedOut)) throw error
    remember(data, as, 'slow')
    return null
  }
}

/** Passes on the batches of a scan, and remembers whether it was quick. */
export async function* timed<P, R>(data: TenantData, query: Prepared<P, R>, batches: AsyncIterable<R[]>) {
  const beganMs = performance.now()
  let count = 0
  for await (const batch of batches) {
    count++
    yield batch
  }
  const isOver = count <= 1 && performance.now() - beganMs <= quickMs[data.executor.dialect]
  if (isOver && !isSlow(data, query)) remember(data, query, 'quick')
}

export function remember(data: TenantData, query: object, pace: 'quick' | 'slow'): void {
  let tenants = history.get(query)
  if (tenants === undefined) {
    tenants = new LruMap(maxTenants)
    history.set(query, tenants)
  }
  tenants.set(data.tenantId, pace === 'quick' ? 0 : performance.now() + slowForMs)
}

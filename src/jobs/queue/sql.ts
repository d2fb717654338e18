/** Statements that find due jobs. */
import { sql } from 'kysely'
import { type DueAt, dueMsOf, scanPages } from '../../core/queue/key-scan.ts'
import type { KeyPermits } from '../../core/queue/permits.ts'
import type { QueueData } from '../../database/data.ts'
import { indexKeys, scannedKey } from '../../database/index-keys.ts'
import { jsonRows } from '../../database/json-rows.ts'
import { prepareForAll } from '../../database/prepared.ts'
import { pendingIndexKey } from '../../database/sql-text.ts'

/** A job that is due, before its attempt. */
export interface DueJob {
  tenantId: string
  id: string
  name: string
  data: string
  /** Who enqueued the job, if it runs with the rights of its caller; otherwise `null`. */
  caller: string | null
  status: string
  attempts: number
  attemptsBefore: number
  hops: number
  origin: string | null
}

const earliest = prepareForAll((tables, p: { limit: number }) =>
  tables
    .selectFrom('queued_job')
    .select(['tenant_id as key', 'next_at as dueAt'])
    .where('next_at', 'is not', null)
    .orderBy('next_at')
    .limit(p.limit),
)

const scan = prepareForAll((tables, p: { after: string; limit: number }, dialect) => {
  const rows = tables.selectFrom('queued_job').where('next_at', 'is not', null)
  const key = pendingIndexKey(dialect, 'queued_job.tenant_id')
  const first = rows.select('next_at').where(key, '=', scannedKey).orderBy('next_at').limit(1)
  return indexKeys(tables, { rows, key, range: p }).select(first.as('dueAt'))
})

/** The number of earliest jobs that a scan reads before it looks up every tenant. */
const maxEarliest = 1000

/**
 * Finds the tenants whose jobs are due. It reads the earliest jobs, so that a scan is fast while few jobs are due.
 * If many are due, it looks up every tenant, so that the jobs of one tenant do not hide those of others.
 * @returns tenants with waiting jobs, among them all with due jobs, and when each is due, in Unix milliseconds
 */
export async function scanTenants(queue: QueueData, nowMs: number): Promise<Map<string, number>> {
  const rows = await queue.all(earliest, { limit: maxEarliest })
  const last = rows.at(-1)?.dueAt ?? null
  const isComplete = rows.length < maxEarliest || last === null || Date.parse(last) > nowMs
  return isComplete ? dueMsOf(rows) : scanPages((range) => queue.all(scan, range))
}

const dueColumns = [
  'tenant_id as tenantId',
  'id',
  'name',
  'data',
  'caller',
  'status',
  'attempts',
  'attempts_before as attemptsBefore',
  'hops',
  'origin',
] as const

/** The most urgent jobs of one tenant, for SQLite, whose LIMIT accepts no column. */
const dueOfTenant = prepareForAll((tables, p: KeyPermits & { now: string }, dialect) =>
  tables
    .selectFrom('queued_job')
    .select(dueColumns)
    .where(pendingIndexKey(dialect, 'queued_job.tenant_id'), '=', p.key)
    .where('next_at', '<=', p.now)
    .orderBy('next_at')
    .orderBy('id')
    .limit(p.permits),
)

/** The most urgent jobs of many tenants at once, for PostgreSQL. Skips jobs that another instance is claiming. */
const dueOfTenants = prepareForAll((tables, p: { tenants: string; now: string }, dialect) =>
  tables
    .selectFrom(jsonRows<KeyPermits>(dialect, p.tenants, { key: 'key', permits: 'integer' }))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('queued_job')
          .select(dueColumns)
          .whereRef(pendingIndexKey(dialect, 'queued_job.tenant_id'), '=', 'given.key')
          .where('next_at', '<=', p.now)
          .orderBy('next_at')
          .orderBy('id')
          .limit(sql<number>`given.permits`)
          .forUpdate()
          .skipLocked()
          .as('claimed'),
      (join) => join.onTrue(),
    )
    .selectAll('claimed'),
)

/** @returns due jobs, for each tenant at most as many as it has permits. On PostgreSQL they are locked. */
export async function dueJobs(
  queue: QueueData,
  permits: readonly KeyPermits[],
  now: string,
): Promise<DueJob[]> {
  if (queue.executor.dialect === 'postgres')
    return queue.all(dueOfTenants, { tenants: JSON.stringify(permits), now })
  return (await Promise.all(permits.map((each) => queue.all(dueOfTenant, { ...each, now })))).flat()
}

const nextOf = prepareForAll((tables, p: { tenants: string }, dialect) =>
  tables
    .selectFrom(jsonRows<{ key: string }>(dialect, p.tenants, { key: 'key' }))
    .select(({ selectFrom }) => [
      'key',
      selectFrom('queued_job')
        .select('queued_job.next_at')
        .whereRef(pendingIndexKey(dialect, 'queued_job.tenant_id'), '=', 'given.key')
        .where('queued_job.next_at', 'is not', null)
        .orderBy('queued_job.next_at')
        .limit(1)
        .as('dueAt'),
    ]),
)

/** @returns when each of these tenants is due next; `null` for a tenant without waiting jobs */
export function nextDueOf(queue: QueueData, tenantIds: readonly string[]): Promise<DueAt[]> {
  return queue.all(nextOf, { tenants: JSON.stringify(tenantIds.map((key) => ({ key }))) })
}

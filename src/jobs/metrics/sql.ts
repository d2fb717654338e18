import { sql } from 'kysely'
import type { QueueData } from '../../database/data.ts'
import { type PreparedFor, prepareForAll } from '../../database/prepared.ts'
import { withinTime } from '../../database/scan.ts'

/** The limit for one database, whose index may have millions of rows. */
const countTimeoutMs = 10_000

/** Reads only the index of waiting jobs. */
const waiting = prepareForAll((tables, _p: object, dialect) =>
  tables
    .selectFrom('queued_job')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where(withinTime(dialect, 'queued_job.id', sql`queued_job.next_at is not null`))
    .groupBy('status'),
)

/** As the condition of the partial index is written, so that it is used. */
const dead = prepareForAll((tables, _p: object, dialect) =>
  tables
    .selectFrom('queued_job')
    .select(({ fn }) => [sql<string>`'DEAD'`.as('status'), fn.countAll<number>().as('count')])
    .where(withinTime(dialect, 'queued_job.tenant_id', sql`queued_job.status = 'DEAD'`)),
)

/** @returns the jobs of all tenants of this database that have not succeeded @throws StatementTimedOut */
export async function countByStatus(queue: QueueData): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const query of [waiting, dead])
    for (const { status, count } of await countApart(queue, query, {})) counts.set(status, Number(count))
  return counts
}

/** As above, by tenant. */
const waitingByTenant = prepareForAll((tables, p: { tenants: number }, dialect) =>
  tables
    .selectFrom('queued_job')
    .select(({ fn }) => ['tenant_id', fn.countAll<number>().as('count')])
    .where(withinTime(dialect, 'queued_job.id', sql`queued_job.next_at is not null`))
    .groupBy('tenant_id')
    .orderBy('count', 'desc')
    .limit(sql<number>`${p.tenants}`),
)

const deadByTenant = prepareForAll((tables, p: { tenants: number }, dialect) =>
  tables
    .selectFrom('queued_job')
    .select(({ fn }) => ['tenant_id', fn.countAll<number>().as('count')])
    .where(withinTime(dialect, 'queued_job.tenant_id', sql`queued_job.status = 'DEAD'`))
    .groupBy('tenant_id')
    .orderBy('count', 'desc')
    .limit(sql<number>`${p.tenants}`),
)

export interface JobsOfTenant {
  tenant_id: string
  count: number
}

/** @param tenants at most so many, those with the highest counts @throws StatementTimedOut */
export function countWaitingByTenant(queue: QueueData, tenants: number): Promise<JobsOfTenant[]> {
  return countApart(queue, waitingByTenant, { tenants })
}

/** Like `countWaitingByTenant`. */
export function countDeadByTenant(queue: QueueData, tenants: number): Promise<JobsOfTenant[]> {
  return countApart(queue, deadByTenant, { tenants })
}

/** On SQLite as a scan, which blocks no other statement. On PostgreSQL the connections of scans are left to tenants. */
async function countApart<P extends object, R>(
  queue: QueueData,
  query: PreparedFor<'queue', P, R>,
  parameters: P,
): Promise<R[]> {
  if (queue.executor.dialect === 'postgres') return queue.all(query, parameters)
  const rows: R[] = []
  for await (const batch of queue.scan(query, parameters, { leftMs: countTimeoutMs })) rows.push(...batch)
  return rows
}

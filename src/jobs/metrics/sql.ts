import { sql } from 'kysely'
import { countApart, type TenantCount } from '../../database/count-apart.ts'
import type { QueueData } from '../../database/data.ts'
import { prepareForAll } from '../../database/prepared.ts'
import { withinTime } from '../../database/scan.ts'

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

/** @param tenants at most so many, those with the highest counts @throws StatementTimedOut */
export async function countByTenant(
  queue: QueueData,
  tenants: number,
): Promise<{ waitingJobs: TenantCount[]; deadJobs: TenantCount[] }> {
  const [waitingJobs, deadJobs] = await Promise.all([
    countApart(queue, waitingByTenant, { tenants }),
    countApart(queue, deadByTenant, { tenants }),
  ])
  return { waitingJobs, deadJobs }
}

import { sql } from 'kysely'
import { countApart, countsByTenant, type TenantCount } from '../../database/count-apart.ts'
import type { QueueData } from '../../database/data.ts'
import type { Dialect } from '../../database/executor.ts'
import { prepareForAll } from '../../database/prepared.ts'
import { withinTime } from '../../database/scan.ts'
import { isDead } from './dead/sql.ts'

/** The condition has the text of the partial index: otherwise the database would not use the index. */
const isWaiting = (dialect: Dialect) =>
  withinTime(dialect, 'queued_job.id', sql`queued_job.next_at is not null`)

const waiting = prepareForAll((tables, _p: object, dialect) =>
  tables
    .selectFrom('queued_job')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where(isWaiting(dialect))
    .groupBy('status'),
)

const dead = prepareForAll((tables, _p: object, dialect) =>
  tables
    .selectFrom('queued_job')
    .select(({ fn }) => [sql<string>`'DEAD'`.as('status'), fn.countAll<number>().as('count')])
    .where(isDead(dialect)),
)

/** @returns the jobs of all tenants of this database that have not succeeded @throws StatementTimedOut */
export async function countByStatus(queue: QueueData): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const query of [waiting, dead])
    for (const { status, count } of await countApart(queue, query, {})) counts.set(status, Number(count))
  return counts
}

const waitingByTenant = countsByTenant('queued_job', isWaiting)
const deadByTenant = countsByTenant('queued_job', isDead)

/** @param tenants the most tenants for each figure: those with the highest counts @throws StatementTimedOut */
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

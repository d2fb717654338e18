import { QueueData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import { countDeadByTenant, countWaitingByTenant, type JobsOfTenant } from './sql.ts'

/**
 * The jobs of all tenants of this database. For each figure at most so many tenants, those with the highest counts.
 * @throws StatementTimedOut, DatabaseUnavailable
 */
export async function countJobsByTenant(
  database: Database,
  tenants: number,
): Promise<{ waitingJobs: JobsOfTenant[]; deadJobs: JobsOfTenant[] }> {
  const queue = new QueueData(database.executor, database)
  const [waitingJobs, deadJobs] = await Promise.all([
    countWaitingByTenant(queue, tenants),
    countDeadByTenant(queue, tenants),
  ])
  return { waitingJobs, deadJobs }
}

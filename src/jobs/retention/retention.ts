/** Removes jobs that have ended. */
import type { IntervalJob } from '../../core/feature/job.ts'
import { firstIdAt } from '../../core/id.ts'
import { eachTenant, retentionJob } from '../../core/retention.ts'
import { inBatches } from '../../database/batches.ts'
import { QueueData, TenantData } from '../../database/data.ts'
import type { Database, Transaction } from '../../database/executor.ts'
import { deleteEnded, jobsAfter, tenantAfter } from './sql.ts'

export function jobRetention(days: number): IntervalJob {
  return retentionJob('jobs', days, ({ database, before, signal }) => removeJobs(database, before, signal))
}

/** @param before removes jobs that were created and have ended before this moment */
export function removeJobs(database: Database, before: Date, signal?: AbortSignal): Promise<void> {
  const queue = new QueueData(database.executor)
  return eachTenant(
    (after) => tenantAfter(queue, after),
    (tenantId) => removeJobsOf(database, tenantId, before, signal),
  )
}

async function removeJobsOf(
  database: Database,
  tenantId: string,
  before: Date,
  signal: AbortSignal | undefined,
): Promise<void> {
  const data = new TenantData(tenantId, database.executor)
  const beforeId = firstIdAt(before)
  let after = firstIdAt(new Date(0))
  const next = async (rows: number): Promise<string[] | null> => {
    const ids = await jobsAfter(data, { after, beforeId, rows })
    return ids.length === 0 ? null : ids
  }
  const work = async (transaction: Transaction, ids: string[]): Promise<void> => {
    await deleteEnded(new TenantData(tenantId, transaction), ids, before.toISOString())
    after = ids.at(-1) ?? after
  }
  await inBatches(database, { next, work }, signal)
}

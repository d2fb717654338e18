/** Removes jobs that have ended. */
import type { IntervalJob } from '../../core/feature/job.ts'
import { type OldRows, removeOldRows, retentionJob } from '../../core/retention.ts'
import { QueueData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import { deleteEnded, jobsAfter, tenantAfter } from './sql.ts'

export function jobRetention(days: number): IntervalJob {
  return retentionJob('jobs', days, ({ database, before, signal }) => removeJobs(database, before, signal))
}

/** @param before removes jobs that were created and have ended before this moment */
export function removeJobs(database: Database, before: Date, signal?: AbortSignal): Promise<void> {
  const queue = new QueueData(database.executor)
  const moment = before.toISOString()
  const rows: OldRows = {
    tenantAfter: (after) => tenantAfter(queue, after),
    idsAfter: jobsAfter,
    remove: (data, ids) => deleteEnded(data, ids, moment),
  }
  return removeOldRows(database, rows, before, signal)
}

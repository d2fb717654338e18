/** Removes old jobs that have ended. */
import type { IntervalJob } from '../../core/feature/job.ts'
import { type OldRows, removeOldRows, retentionJob } from '../../core/retention.ts'
import type { Database } from '../../database/executor.ts'
import { agedJobs, deleteEnded } from './sql.ts'

export function jobRetention(days: number): IntervalJob {
  return retentionJob('jobs', days, ({ database, before, signal }) => removeJobs(database, before, signal))
}

/** Removes jobs that have ended before a moment. Jobs that were created later are not read. */
function removeJobs(database: Database, before: Date, signal?: AbortSignal): Promise<void> {
  const moment = before.toISOString()
  const jobs: OldRows = { rows: agedJobs, remove: (data, ids) => deleteEnded(data, ids, moment) }
  return removeOldRows(database, jobs, before, signal)
}

/** Removes old receipts. If a provider then repeats a message, the service accepts it as a new event. */

import type { IntervalJob } from '../../../core/feature/job.ts'
import { removeOldRows, retentionJob } from '../../../core/retention.ts'
import type { Database } from '../../../database/executor.ts'
import { agedReceipts, deleteReceipts } from './sql.ts'

export function receiptRetentionJob(days: number): IntervalJob {
  return retentionJob('receipts', days, ({ database, before, signal }) =>
    removeReceipts(database, before, signal),
  )
}

/** Removes the receipts from before a moment, unless one of their runs is pending. */
export function removeReceipts(database: Database, before: Date, signal?: AbortSignal): Promise<void> {
  return removeOldRows(database, { rows: agedReceipts, remove: deleteReceipts }, before, signal)
}

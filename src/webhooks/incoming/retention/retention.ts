/** Removes old receipts. A repeated message of such an event then counts as a new event. */

import type { IntervalJob } from '../../../core/feature/job.ts'
import { removeOldRows, retentionJob } from '../../../core/retention.ts'
import type { Database } from '../../../database/executor.ts'
import { agedReceipts, deleteReceipts } from './sql.ts'

export function receiptRetentionJob(days: number): IntervalJob {
  return retentionJob('receipts', days, ({ database, before, signal }) =>
    removeReceipts(database, before, signal),
  )
}

/** @param before removes receipts from before this moment, unless one of their runs is pending */
export function removeReceipts(database: Database, before: Date, signal?: AbortSignal): Promise<void> {
  return removeOldRows(database, { rows: agedReceipts, remove: deleteReceipts }, before, signal)
}

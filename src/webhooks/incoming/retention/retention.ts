/** Removes old receipts. A repeated message of such an event then counts as a new event. */

import type { IntervalJob } from '../../../core/feature/job.ts'
import { removeOldRows, retentionJob } from '../../../core/retention.ts'
import { QueueData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { deleteReceipts, receiptsAfter, tenantAfter } from './sql.ts'

export function receiptRetentionJob(days: number): IntervalJob {
  return retentionJob('receipts', days, ({ database, before, signal }) =>
    removeReceipts(database, before, signal),
  )
}

/** @param before removes receipts from before this moment, unless one of their runs is pending */
export function removeReceipts(database: Database, before: Date, signal?: AbortSignal): Promise<void> {
  const queue = new QueueData(database.executor)
  const rows = {
    tenantAfter: (after: string) => tenantAfter(queue, after),
    idsAfter: receiptsAfter,
    remove: deleteReceipts,
  }
  return removeOldRows(database, rows, before, signal)
}

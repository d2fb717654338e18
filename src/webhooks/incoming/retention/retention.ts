/** Removes old receipts. A repeated message of such an event then counts as a new event. */

import type { IntervalJob } from '../../../core/feature/job.ts'
import { firstIdAt } from '../../../core/id.ts'
import { eachTenant, retentionJob } from '../../../core/retention.ts'
import { inBatches } from '../../../database/batches.ts'
import { QueueData, TenantData } from '../../../database/data.ts'
import type { Database, Transaction } from '../../../database/executor.ts'
import { deleteReceipts, receiptsAfter, tenantAfter } from './sql.ts'

export function receiptRetentionJob(days: number): IntervalJob {
  return retentionJob('receipts', days, ({ database, before, signal }) =>
    removeReceipts(database, before, signal),
  )
}

/** @param before removes receipts from before this moment, unless one of their runs is pending */
export function removeReceipts(database: Database, before: Date, signal?: AbortSignal): Promise<void> {
  const queue = new QueueData(database.executor)
  const work = (id: string) => removeReceiptsOf(database, id, firstIdAt(before), signal)
  return eachTenant((after) => tenantAfter(queue, after), work)
}

async function removeReceiptsOf(
  database: Database,
  tenantId: string,
  beforeId: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const data = new TenantData(tenantId, database.executor)
  let after = firstIdAt(new Date(0))
  const next = async (rows: number): Promise<string[] | null> => {
    const ids = await receiptsAfter(data, { after, beforeId, rows })
    return ids.length === 0 ? null : ids
  }
  const work = async (transaction: Transaction, ids: string[]): Promise<void> => {
    await deleteReceipts(new TenantData(tenantId, transaction), ids)
    after = ids.at(-1) ?? after
  }
  await inBatches(database, { next, work }, signal)
}

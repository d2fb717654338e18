/** Removes old receipts. From then on an event that comes once more is a new one. */
import { QueueData, TenantData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import type { Job } from '../../feature.ts'
import { firstIdAt } from '../../id.ts'
import { eachTenant, removedAtOnce, retentionJob } from '../../retention.ts'
import { deleteReceipts, oldReceipts, tenantAfter } from './sql.ts'

export function receiptRetentionJob(days: number): Job {
  return retentionJob('receipts', days, ({ database, before }) => removeReceipts(database, before))
}

/** @param before what was received earlier goes, unless something of it is still tried again */
export function removeReceipts(database: Database, before: Date): Promise<void> {
  const queue = new QueueData(database.executor)
  const work = (id: string) => removeReceiptsOf(database, id, firstIdAt(before))
  return eachTenant((after) => tenantAfter(queue, after), work)
}

async function removeReceiptsOf(database: Database, tenantId: string, beforeId: string): Promise<void> {
  for (;;) {
    const ids = await oldReceipts(new TenantData(tenantId, database.executor), beforeId, removedAtOnce)
    if (ids.length === 0) return
    await database.transaction((transaction) => deleteReceipts(new TenantData(tenantId, transaction), ids))
  }
}

/** Removes old receipts. From then on an event that comes once more is a new one. */
import { QueueData, TenantData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import type { Job } from '../../feature.ts'
import { firstIdAt } from '../../id.ts'
import { dailyInOwnDatabases } from '../../tenant/daily.ts'
import { deleteReceipts, oldReceipts, tenantAfter } from './sql.ts'

const dayMs = 24 * 60 * 60 * 1000
/** Of one transaction, so that writers do not wait long. */
const batch = 500

export function receiptRetentionJob(days: number): Job {
  const doneAt = new Map<string, number>()
  return {
    name: 'retention of receipts',
    everyMs: 60 * 60 * 1000,
    run: async (context) => {
      const before = new Date(context.shared.clock().getTime() - days * dayMs)
      const work = (database: Database) => removeReceipts(database, before)
      await work(context.shared.catalogueDatabase)
      await dailyInOwnDatabases(context, doneAt, { what: 'removing old receipts', work })
    },
  }
}

/** @param before what was received earlier goes, unless something of it is still tried again */
export async function removeReceipts(database: Database, before: Date): Promise<void> {
  const queue = new QueueData(database.executor)
  for (let id = await tenantAfter(queue, ''); id !== null; id = await tenantAfter(queue, id)) {
    await removeReceiptsOf(database, id, firstIdAt(before))
  }
}

async function removeReceiptsOf(database: Database, tenantId: string, beforeId: string): Promise<void> {
  for (;;) {
    const ids = await oldReceipts(new TenantData(tenantId, database.executor), beforeId, batch)
    if (ids.length === 0) return
    await database.transaction((transaction) => deleteReceipts(new TenantData(tenantId, transaction), ids))
  }
}

/** Removes old mails, and what mails say whose links have expired. */
import type { IntervalJob } from '../core/feature/job.ts'
import { inBatches } from '../database/batches.ts'
import { CatalogueData } from '../database/data.ts'
import type { Database, Transaction } from '../database/executor.ts'
import { deleteContents, deleteMails, expiredMails, mailsEndedBefore } from './sql.ts'

const dayMs = 24 * 60 * 60 * 1000

/** @param days how long mails are kept that were sent or given up; those that wait stay */
export function removeOldMails(days: number): IntervalJob {
  return {
    name: 'retention of mails',
    everyMs: 60 * 60 * 1000,
    run: async ({ shared }, signal) => {
      const { clock, catalogueDatabase: database } = shared
      const moment = clock().toISOString()
      const before = new Date(clock().getTime() - days * dayMs).toISOString()
      await eachBatch(database, signal, {
        find: (catalogue, rows) => expiredMails(catalogue, moment, rows),
        work: deleteContents,
      })
      await eachBatch(database, signal, {
        find: (catalogue, rows) => mailsEndedBefore(catalogue, before, rows),
        work: deleteMails,
      })
    },
  }
}

interface Batch {
  /** @returns ids of rows that the work removes from what is found */
  find(catalogue: CatalogueData, rows: number): Promise<string[]>
  work(catalogue: CatalogueData, ids: readonly string[]): Promise<void>
}

function eachBatch(database: Database, signal: AbortSignal, { find, work }: Batch): Promise<void> {
  const next = async (rows: number): Promise<string[] | null> => {
    const ids = await find(new CatalogueData(database.executor), rows)
    return ids.length === 0 ? null : ids
  }
  const inside = (transaction: Transaction, ids: string[]) => work(new CatalogueData(transaction), ids)
  return inBatches(database, { next, work: inside }, signal)
}

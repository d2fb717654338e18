/** Removes old mails, and the content of mails whose links have expired. */
import { type CatalogueBatches, inCatalogueBatches } from '../core/expiry.ts'
import type { IntervalJob } from '../core/feature/job.ts'
import { deleteContents, deleteMails, expiredMails, mailsEndedBefore } from './sql.ts'

const dayMs = 24 * 60 * 60 * 1000

/** @param days how long mails are kept that were sent or given up. Waiting mails are not removed. */
export function removeOldMails(days: number): IntervalJob {
  return {
    name: 'retention of mails',
    everyMs: 60 * 60 * 1000,
    run: async ({ shared }, signal) => {
      const { clock, catalogueDatabase: database } = shared
      const moment = clock().toISOString()
      const before = new Date(clock().getTime() - days * dayMs).toISOString()
      const expired: CatalogueBatches = {
        find: (catalogue, rows) => expiredMails(catalogue, moment, rows),
        work: deleteContents,
      }
      await inCatalogueBatches(database, expired, signal)
      const ended: CatalogueBatches = {
        find: (catalogue, rows) => mailsEndedBefore(catalogue, before, rows),
        work: deleteMails,
      }
      await inCatalogueBatches(database, ended, signal)
    },
  }
}

/** Claims due mails, and gives up those that no attempt can help. */
import type { Shared } from '../../core/context.ts'
import { newId } from '../../core/id.ts'
import { allMails } from '../all-mails.ts'
import type { MailLimiter } from './limiter.ts'
import { publishFailure } from './record.ts'
import { type DueMail, dueMails, leaseMails, nextDueOf, writeState } from './sql.ts'
import { stateWithoutAttempt } from './state.ts'

export interface MailClaim {
  shared: Shared
  limiter: MailLimiter
  tenantId: string
  now: Date
  leaseMs: number
  schedule: readonly number[]
}

export interface ClaimedMails {
  lease: string
  mails: DueMail[]
  /** When the tenant is due next, in milliseconds of Unix time; `null` without waiting mails. */
  nextDueMs: number | null
}

/** As many as there are permits for the tenant. @throws DatabaseUnavailable */
export function claimMails(claim: MailClaim): Promise<ClaimedMails> {
  const { shared, limiter, tenantId, now, leaseMs, schedule } = claim
  const { catalogueDatabase: database } = shared
  const lease = newId()
  const moment = now.toISOString()
  const until = new Date(now.getTime() + leaseMs).toISOString()
  const limit = limiter.available(tenantId)
  return database.transaction(async (transaction) => {
    const catalogue = allMails(transaction).ofTenant(tenantId)
    const mails: DueMail[] = []
    for (const mail of await dueMails(catalogue, { now: moment, limit })) {
      const over = stateWithoutAttempt(mail, { now: moment, schedule })
      if (over === null) mails.push(mail)
      else {
        await writeState(catalogue, over, null)
        await publishFailure(shared, transaction, mail, { attempts: mail.attempts, error: over.error ?? '' })
      }
    }
    const ids = mails.map(({ id }) => id)
    await leaseMails(catalogue, ids, { lease, until })
    const nextDueAt = await nextDueOf(catalogue)
    return { lease, mails, nextDueMs: nextDueAt === null ? null : Date.parse(nextDueAt) }
  })
}

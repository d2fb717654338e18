/** Claims due mails. Mails that have expired or have no attempts left are given up. */
import type { Shared } from '../../core/context.ts'
import { claimInTransaction } from '../../core/queue/claim.ts'
import type { DueAt } from '../../core/queue/key-scan.ts'
import type { Claim, Claimed } from '../../core/queue/leased-work.ts'
import type { KeyPermits, QueueLimiter } from '../../core/queue/permits.ts'
import type { Transaction } from '../../database/executor.ts'
import { allMails } from '../all-mails.ts'
import { publishFailure } from './record.ts'
import { type DueMail, dueMails, leaseMails, nextDueOf, writeState } from './sql.ts'
import { stateWithoutAttempt } from './state.ts'

export interface MailClaim extends Claim {
  shared: Shared
  limiter: QueueLimiter
  /** Seconds between attempts. */
  schedule: readonly number[]
}

export function claimMails(claim: MailClaim): Promise<Claimed<DueMail>> {
  const { shared, limiter, keys } = claim
  return claimInTransaction(shared.catalogueDatabase, limiter, async (transaction, acquire) => {
    const work: DueMail[] = []
    const nextDue: DueAt[] = []
    for (const permits of acquire(keys)) {
      work.push(...(await claimOfTenant(transaction, permits, claim)))
      const dueAt = await nextDueOf(allMails(transaction).ofTenant(permits.key))
      nextDue.push({ key: permits.key, dueAt })
    }
    return { work, nextDue }
  })
}

async function claimOfTenant(
  transaction: Transaction,
  { key, permits }: KeyPermits,
  { shared, now, schedule, lease, until }: MailClaim,
): Promise<DueMail[]> {
  const catalogue = allMails(transaction).ofTenant(key)
  const mails: DueMail[] = []
  for (const mail of await dueMails(catalogue, { now, limit: permits })) {
    const ended = stateWithoutAttempt(mail, { now, schedule })
    if (ended === null) mails.push(mail)
    else {
      await writeState(catalogue, ended, null)
      await publishFailure(shared, transaction, mail, { attempts: mail.attempts, error: ended.error ?? '' })
    }
  }
  const ids = mails.map(({ id }) => id)
  await leaseMails(catalogue, ids, { lease, until })
  return mails
}

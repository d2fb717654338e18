/** Records the outcomes of attempts, with the event of a mail that is given up. */
import type { Shared } from '../../core/context.ts'
import { serviceContext } from '../../core/create-context.ts'
import { publish } from '../../core/events/publish.ts'
import type { EndedAttempt, NextDue } from '../../core/queue/leased-work.ts'
import type { Transaction } from '../../database/executor.ts'
import { allMails } from '../all-mails.ts'
import type { MailOutcome } from './attempt.ts'
import { type DueMail, writeState } from './sql.ts'
import { stateAfter } from './state.ts'

/** Writes the state of each mail only if the lease is still held. @throws DatabaseUnavailable */
export function recordOutcomes(
  shared: Shared,
  ended: readonly EndedAttempt<DueMail, MailOutcome>[],
  schedule: readonly number[],
): Promise<NextDue[]> {
  return shared.catalogueDatabase.transaction(async (transaction) => {
    const next: NextDue[] = []
    for (const each of ended) {
      const { work: mail, lease } = each
      const state = stateAfter(each, schedule)
      next.push({ key: mail.tenantId, nextAt: state.nextAt })
      const isWritten = await writeState(allMails(transaction).ofTenant(mail.tenantId), state, lease)
      if (isWritten && state.status === 'DEAD')
        await publishFailure(shared, transaction, mail, {
          attempts: mail.attempts + 1,
          error: state.error ?? '',
        })
    }
    return next
  })
}

/** Publishes `mail.failed` inside the transaction of the catalogue that gives up the mail. */
export async function publishFailure(
  shared: Shared,
  transaction: Transaction,
  { id, tenantId, template, recipient }: DueMail,
  { attempts, error }: { attempts: number; error: string },
): Promise<void> {
  const context = serviceContext(shared, shared.catalogueDatabase, transaction)
  const payload = { mailId: id, template, recipient, attempts, error }
  await publish(context, 'mail.failed', payload, tenantId)
}

/** Records the outcomes of attempts, with the event of a mail that is given up. */
import type { Shared } from '../../core/context.ts'
import { serviceContext } from '../../core/create-context.ts'
import { publish } from '../../core/events/publish.ts'
import { Recorder } from '../../core/queue/recorder.ts'
import type { Transaction } from '../../database/executor.ts'
import { allMails } from '../all-mails.ts'
import { type DueMail, type MailState, writeState } from './sql.ts'
import { type MailResult, stateAfter } from './state.ts'

export type MailRecorder = Recorder<MailResult, MailState>

/** @param signal after its abort, an unavailable database is not retried */
export function createRecorder(shared: Shared, signal: AbortSignal): MailRecorder {
  const { log, catalogueDatabase: database } = shared
  return new Recorder<MailResult, MailState>({
    ...{ database, signal, log },
    write: (results) => recordResults(shared, results),
    describe: ({ mail }) => ({ template: mail.template, id: mail.id }),
  })
}

/** @returns the state of each mail, which is written only if the lease is still held @throws DatabaseUnavailable */
function recordResults(shared: Shared, results: readonly MailResult[]): Promise<MailState[]> {
  return shared.catalogueDatabase.transaction(async (transaction) => {
    const states: MailState[] = []
    for (const result of results) {
      const state = stateAfter(result)
      states.push(state)
      const { mail, lease } = result
      const isWritten = await writeState(allMails(transaction).ofTenant(mail.tenantId), state, lease)
      if (isWritten && state.status === 'DEAD')
        await publishFailure(shared, transaction, mail, {
          attempts: mail.attempts + 1,
          error: state.error ?? '',
        })
    }
    return states
  })
}

/** Inside a transaction of the catalogue. */
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

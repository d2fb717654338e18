/**
 * Sends mails of applications. Mails are stored in the catalogue. If the change that requires a mail is in a
 * tenant's own database, its transaction stores a job, which then stores the mail.
 */
import { Type } from 'typebox'
import type { Context } from '../core/context.ts'
import { job } from '../core/feature/job.ts'
import type { MailValues } from '../core/feature/mail.ts'
import { idOf, momentOf } from '../core/id.ts'
import { inCatalogue, inTransaction } from '../core/transaction.ts'
import { checkMail, type NewMail, sendMail, storeMail } from '../mail/send.ts'
import { enqueueWithSecret } from './enqueue.ts'
import { forgetJobSecret, readJobSecret } from './secret.ts'

/** Stores the mail, which is the secret of the job. The secret is deleted once the catalogue has the mail. */
export const mailJob = job('mail.store', {
  data: Type.Object({ template: Type.String() }),
  run: async (context, { template }, { jobId }) => {
    const text = await readJobSecret(context, jobId)
    if (text === null) return // an earlier attempt has stored it
    await inCatalogue(context, async (inside) => {
      const { expiresAt, ...rest } = JSON.parse(text) as StoredMail // `sendMailOfChange` has written it
      const stored = { ...rest, ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }) }
      // The id of the mail follows from that of the job: if the job runs twice, it stores one mail.
      const id = idOf(new Date(momentOf(jobId)), `mail:${jobId}`)
      await storeMail(inside, template, stored, { id })
    })
    await inTransaction(context, (inside) => forgetJobSecret(inside, jobId))
  },
})

type StoredMail = Omit<NewMail, 'expiresAt'> & { expiresAt?: string }

/**
 * Stores a mail of the context's tenant. Inside a transaction, the mail is committed or rolled back with it.
 * Outside of a transaction, it is stored when the promise resolves.
 * @throws Error for an unknown template, and for values that do not match its schema
 * @throws ServiceError `invalid` for an invalid address, and for values of more than 16 KiB
 */
export async function sendMailOfChange<N extends keyof MailValues & string>(
  context: Context,
  template: N,
  mail: NewMail<MailValues[N]>,
): Promise<void> {
  const { shared, transactionDatabase: database } = context
  if (database === null || database === shared.catalogueDatabase) {
    await sendMail(context, template, mail)
    return
  }
  checkMail(shared, template, mail)
  await enqueueWithSecret(context, mailJob, { template }, JSON.stringify(mail))
}

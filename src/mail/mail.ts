/** Lets administrators see and retry the mails of a tenant. The content of a mail is shown only in development. */
import { recordTenantAudit } from '../core/audit/audit.ts'
import { type Context, now } from '../core/context.ts'
import { refusal } from '../core/errors.ts'
import { isUuid } from '../core/id.ts'
import type { KeptMail } from '../core/mail-settings.ts'
import { inCatalogue } from '../core/transaction.ts'
import { allMails } from './all-mails.ts'
import { mails } from './readable.ts'
import type { MailSummary } from './schema.ts'
import { noteMailsAfterCommit } from './send.ts'
import { lockMail, retryMailsNow } from './sql.ts'

/**
 * Makes a dead mail due now, and gives it all attempts of the retry schedule again.
 * @throws ServiceError `notFound`; `invalid` for a mail that is not dead, or whose content was removed or has expired
 */
export function retryMail(context: Context, id: string): Promise<MailSummary> {
  return inCatalogue(context, async (inside) => {
    const { tenant, catalogue } = inside
    const row = isUuid(id) ? await lockMail(catalogue, id) : null
    if (row === null) throw refusal('noSuch', { label: 'mail' })
    const moment = now(inside)
    if (row.status !== 'DEAD') throw refusal('mailNotDead', { status: row.status })
    if (!row.has_content || (row.expires_at !== null && row.expires_at <= moment))
      throw refusal('mailExpired')
    requireMailServer(inside)
    await retryMailsNow(allMails(inside), [id], moment)
    const subject = { tenantId: tenant.id, subjectType: 'mail', subjectId: id }
    const detail = { template: row.template, attempts: row.attempts }
    await recordTenantAudit(inside, { action: 'mail.retried', ...subject, detail })
    noteMailsAfterCommit(inside, [tenant.id], moment)
    return mails.show(inside, id)
  })
}

/**
 * Reads a mail in the folder of development.
 * @throws ServiceError `notFound`, also for a mail that went to a mail server
 */
export async function readMailContent(context: Context, id: string): Promise<KeptMail> {
  const { id: foundId } = await mails.show(context, id)
  const kept = (await context.shared.mails.readKept?.(foundId)) ?? null
  if (kept === null) throw refusal('mailNotKept')
  return kept
}

/** @throws ServiceError `invalid` if no mail server is configured */
export function requireMailServer({ shared }: Context): void {
  if (!shared.mails.isConfigured) throw refusal('noMailServer')
}

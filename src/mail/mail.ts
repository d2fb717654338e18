/** The mails of a tenant, for its administrators. What a mail says is shown to nobody. */
import { recordTenantAudit } from '../core/audit/audit.ts'
import { type Context, now } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { isUuid } from '../core/id.ts'
import { foldAddress } from '../core/mail-address.ts'
import { decodeCursor, type Page, readPage } from '../core/page.ts'
import { inCatalogue } from '../core/transaction.ts'
import { allMails } from './all-mails.ts'
import type { MailQuery, MailStatus, MailSummary } from './schema.ts'
import { noteMailsAfterCommit } from './send.ts'
import { lockMail, type MailSummaryRow, mailPage, retryMailsNow } from './sql.ts'

export interface MailListing extends MailQuery {
  limit: number
}

/** Newest first. @throws ServiceError `invalid` for a foreign cursor */
export async function listMails(
  context: Context,
  { status, template, recipient, error, isRetriable, limit, cursor }: MailListing,
): Promise<Page<MailSummary>> {
  const before = cursor === undefined ? null : decodeCursor(cursor, isUuid)
  const moment = now(context)
  const filter = {
    ...(status !== undefined && { status }),
    ...(template !== undefined && { template }),
    ...(recipient !== undefined && { recipientKey: foldAddress(recipient) }),
    ...(error !== undefined && { error }),
    ...(isRetriable !== undefined && { retriableAt: moment }),
    ...(before !== null && { before }),
  }
  return readPage(limit, async (rows) => {
    const found = await mailPage(context.catalogue, { ...filter, limit: rows })
    return found.map((row) => toMail(row, moment))
  })
}

/**
 * Makes a mail due now that was not sent, with the whole retry schedule.
 * @throws ServiceError `notFound`; `invalid` for a mail that is not dead, or that says nothing any more
 */
export function retryMail(context: Context, id: string): Promise<MailSummary> {
  return inCatalogue(context, async (inside) => {
    const { tenant, catalogue } = inside
    const row = isUuid(id) ? await lockMail(catalogue, id) : null
    if (row === null) throw new ServiceError('notFound', 'There is no such mail.')
    const moment = now(inside)
    const mail = toMail(row, moment)
    if (mail.status !== 'DEAD')
      throw new ServiceError(
        'invalid',
        `Only a mail that is DEAD can be retried. This one is ${mail.status}.`,
      )
    if (!mail.isRetriable)
      throw new ServiceError('invalid', 'The links in the mail have expired. It cannot be sent any more.')
    requireMailServer(inside)
    await retryMailsNow(allMails(inside), [id], moment)
    const subject = { tenantId: tenant.id, subjectType: 'mail', subjectId: id }
    const detail = { template: row.template, attempts: row.attempts }
    await recordTenantAudit(inside, { action: 'mail.retried', ...subject, detail })
    noteMailsAfterCommit(inside, [tenant.id], moment)
    return toMail({ ...row, status: 'PENDING', next_at: moment }, moment)
  })
}

/** @throws ServiceError `invalid` */
export function requireMailServer({ shared }: Context): void {
  if (!shared.mails.isConfigured)
    throw new ServiceError('invalid', 'No mail server is configured, so that no mail can be sent.')
}

function toMail(row: MailSummaryRow, moment: string): MailSummary {
  const isExpired = row.expires_at !== null && row.expires_at <= moment
  return {
    id: row.id,
    template: row.template,
    recipient: row.recipient,
    status: row.status as MailStatus, // written from the list of the schema
    attempts: row.attempts,
    error: row.error,
    isRetriable: row.status === 'DEAD' && Boolean(row.has_content) && !isExpired, // SQLite has 0 and 1
    nextAttemptAt: row.lease === null ? row.next_at : null, // otherwise it is the end of the lease
    createdAt: row.created_at,
    sentAt: row.sent_at,
  }
}

/** Stores a mail in the transaction of the change that causes it. The queue sends it later. */
import { type Context, now, type Shared } from '../core/context.ts'
import { invalidField } from '../core/errors.ts'
import type { MailValues } from '../core/feature/mail.ts'
import { newId } from '../core/id.ts'
import { isLocale } from '../core/locale.ts'
import { foldAddress, isMailAddress, mailboxOf } from '../core/mail-address.ts'
import { clientNetwork } from '../core/network.ts'
import { inCatalogue } from '../core/transaction.ts'
import { ownMails } from './all-mails.ts'
import { type BudgetScope, mailBudget, noticeBudget } from './budget/budget.ts'
import { insertMail } from './sql.ts'

/** The purpose under which the content is encrypted. */
export const mailPurpose = 'mail'

export const mailQueueName = 'mails'

const maxValueBytes = 16 * 1024
const notConfigured = 'No mail server is configured (SMTP_URL).'

/** A mail that is to be sent. */
export interface NewMail<V = unknown> {
  /** The address of the recipient: exactly one. */
  to: string
  values: V
  /** The language of the recipient (BCP 47). If absent, the language of the tenant is used. */
  locale?: string
  /** When a link in the mail stops working. Afterwards the mail is not sent, and what it says is deleted. */
  expiresAt?: Date
}

/**
 * Stores a mail of the context's tenant. Inside a transaction of the catalogue, it is stored when the transaction
 * commits; outside, when the promise resolves.
 * @returns the id of the mail
 * @throws Error for an unknown template, and for values that do not match its schema
 * @throws ServiceError `invalid` for a bad address, and for values of more than 16 KiB
 */
export function sendMail<N extends keyof MailValues & string>(
  context: Context,
  template: N,
  mail: NewMail<MailValues[N]>,
): Promise<string> {
  return inCatalogue(context, (inside) => storeMail(inside, template, mail))
}

/**
 * Stores a mail that a stranger can cause, such as that for a forgotten password. Budgets limit how many mails of the
 * template are sent within an hour to the address and in the tenant.
 * @param scope `tenant` for a mail that only users get: counting the mails of other tenants would reveal their users
 * @returns `null` when nothing is sent. The caller must answer as if the mail had been sent.
 */
export function sendLimitedMail<N extends keyof MailValues & string>(
  context: Context,
  template: N,
  mail: NewMail<MailValues[N]>,
  scope: BudgetScope = 'allTenants',
): Promise<string | null> {
  return inCatalogue(context, async (inside) => {
    const isWithin = await mailBudget(inside, { template, to: mail.to, scope })
    return isWithin ? storeMail(inside, template, mail, { isLimited: true }) : null
  })
}

/**
 * Stores a mail that only informs a user, whom the transaction has locked. Nothing is sent without a mail server,
 * beyond the budget of an hour, or to an address that an earlier version accepted but no mail can be sent to.
 */
export async function sendNotice<N extends keyof MailValues & string>(
  context: Context,
  template: N,
  mail: NewMail<MailValues[N]>,
): Promise<void> {
  if (!context.shared.mails.isConfigured || !isMailAddress(mail.to)) return
  await inCatalogue(context, async (inside) => {
    if (await noticeBudget(inside, template, mail.to))
      await storeMail(inside, template, mail, { isLimited: true })
  })
}

interface StoreOptions {
  /** The id of the mail. A mail that is already stored under this id is not changed. */
  id?: string
  /** Whether the mail counts in the budgets. */
  isLimited?: boolean
}

/** Stores a mail inside a transaction of the catalogue. @param template a declared name @returns the id */
export async function storeMail(
  inside: Context,
  template: string,
  mail: NewMail,
  { id = newId(), isLimited = false }: StoreOptions = {},
): Promise<string> {
  const { shared, tenant } = inside
  checkMail(shared, template, mail)
  const moment = now(inside)
  const { isConfigured } = shared.mails
  await insertMail(ownMails(inside), {
    id,
    template,
    recipient: mail.to,
    recipient_key: foldAddress(mail.to),
    mailbox_key: mailboxOf(mail.to),
    locale: mail.locale ?? null,
    content: shared.secretBox.encrypt(JSON.stringify(mail.values), mailPurpose),
    is_limited: isLimited,
    network: isLimited && inside.clientAddress !== null ? clientNetwork(inside.clientAddress) : null,
    status: isConfigured ? 'PENDING' : 'DEAD',
    attempts: 0,
    attempts_before: 0,
    next_at: isConfigured ? moment : null,
    error: isConfigured ? null : notConfigured,
    created_at: moment,
    expires_at: mail.expiresAt?.toISOString() ?? null,
  })
  if (isConfigured) noteMailsAfterCommit(inside, [tenant.id], moment)
  return id
}

/** @throws Error for an unknown template or wrong values; ServiceError `invalid` for a bad address or large values */
export function checkMail({ mails }: Shared, template: string, { to, values, locale }: NewMail): void {
  const faults = mails.declared.faultsOf(template, values)
  if (faults !== null)
    throw new Error(`The values of the mail ${template} do not match its schema: ${faults}`)
  if (!isMailAddress(to)) throw invalidField('to', 'must be one address', 'badPattern')
  if (locale !== undefined && !isLocale(locale))
    throw invalidField('locale', 'must be a language tag', 'badPattern')
  if (Buffer.byteLength(JSON.stringify(values)) > maxValueBytes)
    throw invalidField('values', `must not be larger than ${maxValueBytes / 1024} KiB`, {
      code: 'tooLarge',
      parameters: { limit: maxValueBytes / 1024, unit: 'KiB' },
    })
}

/** Wakes the worker after the commit. @throws Error outside a transaction */
export function noteMailsAfterCommit(
  { shared, transaction }: Context,
  tenantIds: Iterable<string>,
  dueAt: string,
): void {
  if (transaction === null) throw new Error('A mail was stored outside a transaction.')
  for (const tenantId of tenantIds) {
    const due = { queue: mailQueueName, key: tenantId, dueMs: Date.parse(dueAt) }
    transaction.afterCommit(() => shared.noteDue(tenantId, shared.catalogueDatabase, due))
  }
}

/** Email addresses of users. A link in a mail proves the present address, or changes it to the address of the mail. */

import { recordAudit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { mailedUserName } from '../../core/display-name.ts'
import { invalidField, refusal, ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { sendLimitedMail, sendNotice } from '../../mail/send.ts'
import { type AccountPages, accountLink } from '../account-link.ts'
import {
  issueToken,
  peekToken,
  redeemToken,
  tokenPurpose,
  withdrawTokens,
} from '../one-time-token/one-time-token.ts'
import { recordRefusal } from '../one-time-token/refusal.ts'
import { requireRecentSignIn } from '../session/recent-sign-in.ts'
import { userEntry } from '../user/account.ts'
import { findActiveAccount, lockActiveAccount, storeVerifiedEmail } from '../user/credentials.ts'
import { noticeNames } from '../user/notice.ts'
import { signedIn } from '../user/signed-in.ts'

/** `from` is the address at the request: after another change the token is not valid. */
const purpose = tokenPurpose<{ email: string; from: string }>('verify-email', 24 * 60 * 60_000)

/**
 * Sends a link to the address. The link verifies the present address, and another address becomes that of the user.
 * Only who reads the mail learns whether another user has the address. A newer request withdraws the link.
 * @throws ServiceError `forbidden` for a new address without a recent sign-in, and for an API key; `invalid` for an
 *   address that no mail can be sent to, and without a mail server; `tooManyRequests` when many mails went to the address
 */
export async function requestEmail(context: Context, pages: AccountPages, email: string): Promise<void> {
  const { id } = signedIn(context)
  if (!context.shared.mails.isConfigured) throw refusal('noMailToVerify')
  await inCatalogue(context, async (inside) => {
    const account = await lockActiveAccount(inside, id)
    if (account === null) throw new ServiceError('forbidden')
    if (email !== account.email) await requireRecentSignIn(inside)
    await withdrawTokens(inside, id, purpose)
    const data = { email, from: account.email }
    const { token, expiresAt } = await issueToken(inside, purpose, { accountId: id, data })
    const url = accountLink(pages, 'verify', { tenantId: inside.tenant.id, token })
    const values = { userName: mailedUserName(account.user_name, email), url }
    if ((await sendLimitedMail(inside, 'account.verifyEmail', { to: email, values, expiresAt })) === null)
      throw refusal('tooManyMails', {}, { retryAfterSeconds: 3600 })
    if (email !== account.email) {
      const notice = { userName: mailedUserName(account.user_name, account.email), email }
      await sendNotice(inside, 'account.emailChangeRequested', { to: account.email, values: notice })
    }
    await recordAudit(inside, userEntry('user.emailRequested', account, { email }))
  })
}

/**
 * Finds the user and the new address of a link.
 * @returns `null` for a token that is unknown, used, expired or withdrawn
 */
export async function findRequest(
  context: Context,
  token: string,
): Promise<{ userName: string; email: string } | null> {
  const known = await peekToken(context, purpose, token)
  const account = known === null ? null : await findActiveAccount(context, known.accountId ?? '')
  return known === null || account === null || account.email !== known.data.from
    ? null
    : { userName: account.user_name, email: known.data.email }
}

/**
 * Verifies the address of a link. The sessions of the user do not end.
 * @returns the address
 * @throws ServiceError `invalid` for a token that is unknown, used, expired or withdrawn, and for an address that
 *   another user of the tenant has
 */
export async function verifyEmail(context: Context, token: string): Promise<string> {
  // An invented token causes a read, but no transaction.
  const known = await peekToken(context, purpose, token)
  const verified = known === null ? null : await redeem(context, token)
  if (verified === null) {
    await recordRefusal(context, purpose)
    throw invalidField('token', 'is not valid: it is mistyped, used, withdrawn, or has expired', 'expired')
  }
  return verified
}

/** @returns the address; `null` for a token that is not valid any more */
function redeem(context: Context, token: string): Promise<string | null> {
  return inCatalogue(context, async (inside) => {
    const redeemed = await redeemToken(inside, purpose, token)
    const account = redeemed === null ? null : await lockActiveAccount(inside, redeemed.accountId ?? '')
    if (redeemed === null || account === null || account.email !== redeemed.data.from) return null
    const { email } = redeemed.data
    await storeVerifiedEmail(inside, account, email)
    const payload = { userId: account.id, userName: account.user_name }
    await publish(inside, 'user.updated', payload, account.tenant_id)
    const isNew = email !== account.email
    await recordAudit(
      inside,
      isNew
        ? userEntry('user.emailChanged', account, { from: account.email, to: email })
        : userEntry('user.emailVerified', account, { email }),
    )
    await noticeNames(inside, account, { ...account, email })
    return email
  })
}

/** Forgotten passwords: a mail to the address of the user has a link, with which a new password is set. */

import { setTimeout as delay } from 'node:timers/promises'
import { recordAudit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { mailedUserName } from '../../core/display-name.ts'
import { refusal, ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { isMailAddress } from '../../core/mail-address.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { Limit } from '../../database/limit.ts'
import { sendLimitedMail } from '../../mail/send.ts'
import { type AccountPages, accountLink } from '../account-link.ts'
import { requireReturn } from '../code-exchange/code-exchange.ts'
import {
  invalidToken,
  issueToken,
  peekToken,
  redeemToken,
  tokenPurpose,
  withdrawTokens,
} from '../one-time-token/one-time-token.ts'
import { recordRefusal } from '../one-time-token/refusal.ts'
import { hashNewPassword } from '../password/new-password.ts'
import { refuseHigherUser } from '../role/grant.ts'
import { factorsOf } from '../second-factor/factor.ts'
import { revokeSessionsOf } from '../session/revocation.ts'
import { mustUseProvider } from '../single-sign-on/configuration.ts'
import { type Account, noSuchUser, rolesOf, userEntry } from '../user/account.ts'
import {
  findAccountByLogin,
  findActiveAccount,
  lockActiveAccount,
  storePasswordHash,
} from '../user/credentials.ts'
import { noticePassword } from '../user/notice.ts'
import type { ForgottenPassword, PasswordReset } from './schema.ts'

/** The token is for the address to which it was sent: after a change of the address it is not valid. */
const resetPurpose = tokenPurpose<{ email: string }>('reset-password', 60 * 60_000)

/** The most requests whose mail is not stored yet. Further requests are refused, for known and unknown users alike. */
const maxUnderWay = 100

export const recoveryLimit: Limit = {
  name: 'requests for a forgotten password whose mail is not stored yet',
  kind: 'permits',
  bounds: { instance: maxUnderWay },
  beyond: '503 with `Retry-After`',
  page: 'security/strangers.md#operations',
}

/** The delay of the work for a known user. Without it, the work would delay the reply, which would reveal the user. */
const replyMs = 20

export class PasswordRecovery {
  readonly #pages: AccountPages
  /** The requests whose mail is not stored yet. */
  readonly #underWay = new Set<Promise<void>>()

  constructor(pages: AccountPages) {
    this.#pages = pages
  }

  /**
   * Sends a link to the user, if there is one. Returns before this is known: neither the reply nor its time reveals it.
   * @throws ServiceError `overloaded` while many requests are under way; `invalid` for a `returnTo` that is not allowed
   */
  request(context: Context, { userName, returnTo }: ForgottenPassword): void {
    requireReturn(this.#pages, returnTo)
    if (this.#underWay.size >= maxUnderWay) throw new ServiceError('overloaded')
    const sending = this.#send(context, userName, returnTo)
      .catch((error: unknown) =>
        context.shared.log.error({ err: error }, 'mail of a forgotten password not stored'),
      )
      .finally(() => this.#underWay.delete(sending))
    this.#underWay.add(sending)
  }

  /** @returns when the mails of all requests are stored. To be called when there are no more requests. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay)
  }

  async #send(context: Context, userName: string, returnTo: string | undefined): Promise<void> {
    await delay(replyMs)
    const found = await findAccountByLogin(context, userName)
    if (found === null || !context.tenant.isActive || (await mustUseProvider(context, found.id))) return
    await inCatalogue(context, async (inside) => {
      const account = await lockActiveAccount(inside, found.id)
      if (account === null) return
      const isMailed = await this.#sendLink(inside, account, returnTo)
      await recordAudit(inside, userEntry('user.passwordForgotten', account, { isMailed }))
    })
  }

  /**
   * Sends a link at the request of an administrator, who does not learn the new password. The present password is valid
   * until the user sets another one.
   * @throws ServiceError `notFound` for a user who is not of the context's tenant, or deactivated; `forbidden` for
   *   a user who may do what the actor may not; `invalid` when the user cannot be mailed, or signs in at the
   *   identity provider; `tooManyRequests` when many mails went to the address
   */
  async start(context: Context, userId: string): Promise<void> {
    if (!context.shared.mails.isConfigured) throw refusal('noMailToRecover')
    await inCatalogue(context, async (inside) => {
      const account = await lockActiveAccount(inside, userId)
      if (account === null) throw noSuchUser()
      await refuseHigherUser(inside, { id: account.id, roles: rolesOf(account) })
      if (!isMailAddress(account.email)) throw refusal('addressNotReachable')
      if (await mustUseProvider(inside, account.id)) throw refusal('passwordElsewhere')
      if (!(await this.#sendLink(inside, account)))
        throw refusal('tooManyMails', {}, { retryAfterSeconds: 3600 })
      await recordAudit(inside, userEntry('user.passwordResetStarted', account, {}))
    })
  }

  /**
   * Sends a link, inside a transaction that has locked the user. The link withdraws earlier ones. If the limit of mails
   * prevents it, earlier links stay valid: otherwise a stranger could withdraw them by many requests.
   * @returns whether the mail was sent
   */
  async #sendLink(inside: Context, account: Account, returnTo?: string): Promise<boolean> {
    const { id: accountId, email } = account
    const { token, expiresAt } = await issueToken(inside, resetPurpose, { accountId, data: { email } })
    const url = accountLink(this.#pages, 'reset-password', { tenantId: inside.tenant.id, token, returnTo })
    const mail = { to: email, values: { userName: mailedUserName(account.user_name, email), url }, expiresAt }
    // Counted in this tenant alone: a count over all tenants would reveal users of others with the address.
    const isSent = (await sendLimitedMail(inside, 'account.resetPassword', mail, 'tenant')) !== null
    if (isSent) await withdrawTokens(inside, account.id, resetPurpose, token)
    else await redeemToken(inside, resetPurpose, token)
    return isSent
  }

  /** Whether a password can be set with the token. */
  async isValid(context: Context, token: string): Promise<boolean> {
    return (await peekToken(context, resetPurpose, token)) !== null
  }

  /**
   * Sets the password, ends every session of the user, and withdraws the user's other tokens.
   * @throws ServiceError `invalid` for a token that is unknown, used or expired, and for a known password; `overloaded`
   */
  async reset(context: Context, { token, password }: PasswordReset): Promise<void> {
    // An invented token causes a read, but no hash of the password.
    const known = await peekToken(context, resetPurpose, token)
    const owner = known === null ? null : await findActiveAccount(context, known.accountId ?? '')
    if (owner === null) {
      await recordRefusal(context, resetPurpose)
      throw invalidToken()
    }
    const hash = await hashNewPassword(context, { password, words: [owner.user_name, owner.email] })
    const isReset = await inCatalogue(context, async (inside) => {
      const redeemed = await redeemToken(inside, resetPurpose, token)
      const account = redeemed === null ? null : await lockActiveAccount(inside, redeemed.accountId ?? '')
      if (account === null || account.email !== redeemed?.data.email) return false
      // With a second factor the address stays unproven: its owner may be somebody else than the reader of the mail.
      const provesEmail = (await factorsOf(inside, account.id)).length === 0
      await storePasswordHash(inside, account, hash, { provesEmail })
      await revokeSessionsOf(inside, account.id)
      await withdrawTokens(inside, account.id)
      await publish(
        inside,
        'user.updated',
        { userId: account.id, userName: account.user_name },
        account.tenant_id,
      )
      await recordAudit(inside, userEntry('user.passwordReset', account, {}))
      await noticePassword(inside, account, 'mail')
      return true
    })
    if (!isReset) throw invalidToken()
  }
}

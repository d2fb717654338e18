/** Forgotten passwords: a mail to the address of the user, and a new password for whoever has read it. */
import { setTimeout as delay } from 'node:timers/promises'
import { recordAudit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { invalidField, ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { sendLimitedMail } from '../../mail/send.ts'
import { type AccountPages, accountLink } from '../account-link.ts'
import {
  issueToken,
  peekToken,
  redeemToken,
  tokenPurpose,
  withdrawTokens,
} from '../one-time-token/one-time-token.ts'
import { hashNewPassword } from '../password/new-password.ts'
import { revokeSessionsOf } from '../session/revocation.ts'
import { mustUseProvider } from '../single-sign-on/configuration.ts'
import { userEntry } from '../user/account.ts'
import {
  findAccountByLogin,
  findActiveAccount,
  lockActiveAccount,
  storePasswordHash,
} from '../user/credentials.ts'
import { noticePassword } from '../user/notice.ts'
import type { PasswordReset } from './schema.ts'

/** The token is for the address to which it was sent: after a change of the address it is not valid. */
const resetPurpose = tokenPurpose<{ email: string }>('reset-password', 60 * 60_000)

/** Requests whose mail is not stored yet. Further ones are refused, whoever they are about. */
const maxUnderWay = 100

/** Until the reply has left: the work for a known user would delay it. */
const replyMs = 20

export class PasswordRecovery {
  readonly #pages: AccountPages
  #underWay = 0

  constructor(pages: AccountPages) {
    this.#pages = pages
  }

  /**
   * Returns at once, before it is known whether there is such a user: neither the reply nor its time says so.
   * @throws ServiceError `overloaded` while many requests are under way
   */
  request(context: Context, userName: string): void {
    if (this.#underWay >= maxUnderWay) throw new ServiceError('overloaded')
    this.#underWay++
    this.#send(context, userName)
      .catch((error: unknown) =>
        context.shared.log.error({ err: error }, 'mail of a forgotten password not stored'),
      )
      .finally(() => this.#underWay--)
  }

  /** Earlier tokens are withdrawn: the newest mail counts. */
  async #send(context: Context, userName: string): Promise<void> {
    await delay(replyMs)
    const found = await findAccountByLogin(context, userName)
    if (found === null || !context.tenant.isActive || (await mustUseProvider(context, found))) return
    await inCatalogue(context, async (inside) => {
      const account = await lockActiveAccount(inside, found.id)
      if (account === null) return
      await withdrawTokens(inside, account.id, resetPurpose)
      const { id: accountId, email } = account
      const { token, expiresAt } = await issueToken(inside, resetPurpose, { accountId, data: { email } })
      const url = accountLink(this.#pages, 'reset-password', { tenantId: inside.tenant.id, token })
      const values = { userName: account.user_name, url }
      const mail = { to: email, values, expiresAt }
      const mailId = await sendLimitedMail(inside, 'account.resetPassword', mail, 'tenant')
      if (mailId === null) await withdrawTokens(inside, account.id, resetPurpose)
      await recordAudit(inside, userEntry('user.passwordForgotten', account, { isMailed: mailId !== null }))
    })
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
    // A guess costs a read, and no hash.
    const held = await peekToken(context, resetPurpose, token)
    const owner = held === null ? null : await findActiveAccount(context, held.accountId ?? '')
    if (owner === null) throw notValid()
    const hash = await hashNewPassword(context, { password, words: [owner.user_name, owner.email] })
    const isReset = await inCatalogue(context, async (inside) => {
      const redeemed = await redeemToken(inside, resetPurpose, token)
      const account = redeemed === null ? null : await lockActiveAccount(inside, redeemed.accountId ?? '')
      if (account === null || account.email !== redeemed?.data.email) return false
      await storePasswordHash(inside, account, hash, { provesEmail: true })
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
    if (!isReset) throw notValid()
  }
}

function notValid(): ServiceError {
  return invalidField('token', 'is not valid: it is mistyped, used, or has expired')
}

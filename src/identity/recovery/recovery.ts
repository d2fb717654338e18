/** Forgotten passwords: a mail to the address of the user, and a new password for whoever has read it. */
import { recordAudit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { invalidField, ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { sendLimitedMail, sendMail } from '../../mail/send.ts'
import { type AccountPages, accountLink } from '../account-link.ts'
import {
  issueToken,
  peekToken,
  redeemToken,
  tokenPurpose,
  withdrawTokens,
} from '../one-time-token/one-time-token.ts'
import { revokeSessionsOf } from '../session/revocation.ts'
import { mustUseProvider } from '../single-sign-on/configuration.ts'
import { userEntry } from '../user/account.ts'
import { findAccountByLogin, lockActiveAccount, originOf, storePasswordHash } from '../user/credentials.ts'
import type { PasswordReset } from './schema.ts'

/** The token is for the address to which it was sent: after a change of the address it is not valid. */
const resetPurpose = tokenPurpose<{ email: string }>('reset-password', 60 * 60_000)

/** Requests whose mail is not stored yet. Further ones are refused, whoever they are about. */
const maxUnderWay = 100

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
      const mailId = await sendLimitedMail(inside, 'account.resetPassword', { to: email, values, expiresAt })
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
   * @throws ServiceError `invalid` for a token that is unknown, used or expired; `overloaded`
   */
  async reset(context: Context, { token, password }: PasswordReset): Promise<void> {
    // A guess costs a read, and no hash.
    if (!(await this.isValid(context, token))) throw notValid()
    const hash = await context.shared.passwords.hash(password, originOf(context))
    const isReset = await inCatalogue(context, async (inside) => {
      const redeemed = await redeemToken(inside, resetPurpose, token)
      const account = redeemed === null ? null : await lockActiveAccount(inside, redeemed.accountId ?? '')
      if (account === null || account.email !== redeemed?.data.email) return false
      await storePasswordHash(inside, account, hash)
      await revokeSessionsOf(inside, account.id)
      await withdrawTokens(inside, account.id)
      await publish(
        inside,
        'user.updated',
        { userId: account.id, userName: account.user_name },
        account.tenant_id,
      )
      await recordAudit(inside, userEntry('user.passwordReset', account, {}))
      await sendMail(inside, 'account.passwordChanged', {
        to: account.email,
        values: { userName: account.user_name },
      })
      return true
    })
    if (!isReset) throw notValid()
  }
}

function notValid(): ServiceError {
  return invalidField('token', 'is not valid: it is mistyped, used, or has expired')
}

/**
 * Back-channel logout: the provider ends sessions by a request to the service (OpenID
 * Connect Back-Channel Logout 1.0).
 */
import { recordAudit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { forTenant } from '../../core/create-context.ts'
import { refusal } from '../../core/errors.ts'
import { clientNetwork } from '../../core/network.ts'
import { lookUpTenant } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { GuessLimiter } from '../api-key/guess-limiter.ts'
import { withdrawCodes } from '../code-exchange/code-exchange.ts'
import { isFirstTime, tokenPurpose } from '../one-time-token/one-time-token.ts'
import { recordOnceAMinute } from '../one-time-token/refusal.ts'
import { revokeSession } from '../session/revocation.ts'
import { noProvider, settingsOf } from './configuration.ts'
import { type Logout, maxTokenAgeSeconds, readLogout, toleranceSeconds } from './logout-token.ts'
import type { Providers } from './provider.ts'
import { ProviderFailure } from './provider-failure.ts'
import { sessionsSignedOut } from './provider-session.ts'
import { findIdentity, findProvider, type IdentityProviderRow } from './sql.ts'

/** Remembers used tokens, for as long as they would be accepted. */
const usedPurpose = tokenPurpose<object>('sso-logout', (maxTokenAgeSeconds + 2 * toleranceSeconds) * 1000)

export class BackChannel {
  readonly #providers: Providers
  /** Limits strangers, who may send any token: verifying and recording it takes time. */
  readonly #guesses = new GuessLimiter()

  constructor(providers: Providers) {
    this.#providers = providers
  }

  /**
   * Ends the sessions that the token names, on every instance within a second, also for a deactivated tenant and a
   * disabled provider.
   * @throws ServiceError `notFound` without a provider, `invalid` for a token that is not accepted, `tooManyRequests`
   */
  async receive(request: Context, tenantId: string, token: string): Promise<void> {
    const tenant = await lookUpTenant(request, tenantId)
    const row = tenant === null ? null : await findProvider(forTenant(request, tenant).catalogue)
    if (tenant === null || row === null) throw noProvider()
    const uncount = this.#guesses.count(clientNetwork(request.clientAddress ?? ''))
    const context = forTenant(request, tenant)
    const logout = await this.#verify(context, row, token)
    const fault = typeof logout === 'string' ? logout : await signOut(context, row, logout)
    if (fault !== null) return refuse(context, fault)
    uncount()
  }

  async #verify(context: Context, row: IdentityProviderRow, token: string): Promise<Logout | string> {
    try {
      const settings = await settingsOf(context, row)
      return readLogout(await this.#providers.verifyLogoutToken(context, settings, token))
    } catch (error) {
      if (error instanceof ProviderFailure) return error.message
      throw error
    }
  }
}

/** @returns why the token is refused; `null` when it has taken effect */
function signOut(
  context: Context,
  { tenant_id: tenantId, issuer }: IdentityProviderRow,
  { id, subject, sid }: Logout,
): Promise<string | null> {
  return inCatalogue(context, async (inside) => {
    if (!(await isFirstTime(inside, usedPurpose, `${issuer} ${id}`))) return 'The token was used.'
    const sessions = await sessionsSignedOut(inside, { issuer, subject, sid })
    for (const session of sessions) {
      await revokeSession(inside, session.id)
      const detail = { userId: session.accountId, endedBy: issuer }
      const entry = { action: 'session.ended', tenantId, subjectType: 'session' } as const
      await recordAudit(inside, { ...entry, subjectId: session.id, detail })
    }
    // A sign-in in progress has no session yet, but a code.
    const accountId = subject === null ? null : await findIdentity(inside.catalogue, { issuer, subject })
    if (accountId !== null) await withdrawCodes(inside, accountId)
    const detail = { issuer, subject, sid, sessions: sessions.length }
    await recordAudit(inside, {
      action: 'sso.signedOut',
      tenantId,
      subjectType: 'user',
      subjectId: accountId,
      detail,
    })
    return null
  })
}

async function refuse(context: Context, reason: string): Promise<never> {
  const subject = { subjectType: 'session', subjectId: null, detail: { reason } }
  await recordOnceAMinute(context, `sign-out ${reason}`, { action: 'sso.signOutRefused', ...subject })
  throw refusal('logoutTokenNotAccepted')
}

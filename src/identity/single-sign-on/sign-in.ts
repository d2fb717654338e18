/** Signing in at the identity provider of a tenant: from the start to the tokens. */
import { recordAudit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { asOperator, forTenant } from '../../core/create-context.ts'
import { invalidField, ServiceError } from '../../core/errors.ts'
import { lookUpTenant } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { issueToken, redeemToken, tokenPurpose } from '../one-time-token/one-time-token.ts'
import type { SignIn } from '../session/schema.ts'
import { issueTokens, type SessionParts, startSession } from '../session/session.ts'
import { lockActiveAccount } from '../user/credentials.ts'
import { accountFor } from './account.ts'
import { readClaims } from './claims.ts'
import { callbackPath, noProvider, optionsOf, settingsOf } from './configuration.ts'
import { ProviderFailure, type Providers } from './provider.ts'
import type { Callback, CodeExchange, SignInStart } from './schema.ts'
import { findProvider } from './sql.ts'
import { challengeOf, newState, readState, type SignInState, secretsOf } from './state.ts'

export interface SingleSignOnParts extends SessionParts {
  providers: Providers
  baseUrl: string
  /** Origins of applications to which a sign-in may return. */
  origins: readonly string[]
}

/** The result of a sign-in, which the browser carries to whoever began it. */
const resultPurpose = tokenPurpose<{ codeChallenge: string }>('sso-result', 60_000)

/** Why a sign-in has failed, as the address of the return names it. */
export type SignInFault = 'provider_refused' | 'provider_failed' | 'not_allowed'

/**
 * @returns the address of the provider
 * @throws ServiceError `notFound` without single sign-on, `invalid` for a foreign address of return, `unavailable` when
 *   the provider does not answer
 */
export async function startSignIn(
  context: Context,
  parts: SingleSignOnParts,
  { tenantId, ...start }: SignInStart & { tenantId: string },
): Promise<URL> {
  const returnTo = returnAddress(parts, start.returnTo)
  const tenant = await lookUpTenant(context, tenantId)
  const row = tenant?.isActive === true ? await findProvider(context.catalogue, tenant.id) : null
  if (row === null || !row.is_enabled) throw noProvider()
  const { issuer, tenant_id } = row
  const state = newState(context, {
    tenantId: tenant_id,
    issuer,
    returnTo: returnTo.href,
    codeChallenge: start.codeChallenge,
  })
  const request = {
    redirectUri: `${parts.baseUrl}${callbackPath}`,
    scopes: optionsOf(row).scopes,
    state,
    loginHint: start.loginHint,
  }
  try {
    const settings = settingsOf(context, row)
    return await parts.providers.authorizationUrl(context, settings, request, secretsOf(context, state))
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    throw new ServiceError('unavailable', 'The identity provider cannot be reached right now.', {
      cause: error,
      retryAfterSeconds: 10,
    })
  }
}

/**
 * The browser comes back from the provider.
 * @returns where it goes next, with a code for the exchange or with a fault
 * @throws ServiceError `invalid` for a state that this service has not made, or that has expired
 */
export async function finishSignIn(
  context: Context,
  parts: SingleSignOnParts,
  callback: Callback,
): Promise<URL> {
  const state = readState(context, callback.state)
  const tenant = state === null ? null : await lookUpTenant(context, state.tenantId)
  if (state === null || tenant?.isActive !== true)
    throw invalidField('state', 'is not of this service, or has expired: begin the sign-in again')
  const outcome = await outcomeOf(forTenant(context, tenant), parts, { callback, state })
  const url = new URL(state.returnTo)
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value)
  return url
}

/** @throws ServiceError `badCredentials` for a code that is unknown, used, expired, or of another browser */
export async function exchangeResult(
  context: Context,
  { tokens }: SessionParts,
  { code, codeVerifier }: CodeExchange,
): Promise<SignIn> {
  const started = await inCatalogue(context, async (inside) => {
    const result = await redeemToken(inside, resultPurpose, code)
    if (result === null || result.data.codeChallenge !== challengeOf(codeVerifier)) return null
    const account = await lockActiveAccount(inside, result.accountId ?? '')
    return account === null ? null : startSession(inside, account, ['sso'])
  })
  if (started === null) throw new ServiceError('badCredentials', 'The sign-in has expired. Begin it again.')
  return issueTokens(tokens, started)
}

type Outcome = { sso_code: string; tenant: string } | { sso_error: SignInFault; tenant: string }

async function outcomeOf(
  context: Context,
  parts: SingleSignOnParts,
  { callback, state }: { callback: Callback; state: SignInState },
): Promise<Outcome> {
  const { id: tenantId } = context.tenant
  const refuse = async (fault: SignInFault, reason: string): Promise<Outcome> => {
    await inCatalogue(context, (inside) => {
      const subject = { subjectType: 'session', subjectId: null, detail: { reason } }
      return recordAudit(inside, { action: 'sso.refused', tenantId, ...subject })
    })
    return { sso_error: fault, tenant: tenantId }
  }
  if (callback.error !== undefined)
    return refuse('provider_refused', callback.error.slice(0, maxReasonLength))
  const row = await findProvider(context.catalogue, tenantId)
  if (row === null || !row.is_enabled || row.issuer !== state.issuer)
    return refuse('not_allowed', 'The provider was changed meanwhile.')
  let claims: Record<string, unknown>
  try {
    const answer = { callback: addressOf(parts, callback), state: callback.state }
    const secrets = secretsOf(context, callback.state)
    claims = await parts.providers.exchange(context, settingsOf(context, row), answer, secrets)
  } catch (error) {
    if (error instanceof ProviderFailure) return refuse('provider_failed', error.message)
    throw error
  }
  const user = readClaims(claims, optionsOf(row).groupsClaim)
  const found = await accountFor(asOperator(context), row, user)
  if ('refused' in found) return refuse('not_allowed', found.refused)
  const data = { codeChallenge: state.codeChallenge }
  const { token: code } = await inCatalogue(context, (inside) =>
    issueToken(inside, resultPurpose, { accountId: found.accountId, data }),
  )
  return { sso_code: code, tenant: tenantId }
}

/** The address of the callback as the provider has sent the browser there. */
function addressOf({ baseUrl }: SingleSignOnParts, callback: Callback): URL {
  const url = new URL(`${baseUrl}${callbackPath}`)
  for (const [name, value] of Object.entries(callback)) url.searchParams.set(name, value)
  return url
}

/** A path of this service, or an address of an application that the operator allows. */
function returnAddress({ baseUrl, origins }: SingleSignOnParts, returnTo: string): URL {
  const own = new URL(baseUrl).origin
  const url = URL.parse(returnTo, own)
  const isAllowed = url !== null && (url.origin === own || origins.includes(url.origin))
  if (!isAllowed || url.username !== '' || url.password !== '')
    throw invalidField('returnTo', 'must be a path of this service, or have an origin of CORS_ORIGINS')
  return url
}

const maxReasonLength = 100

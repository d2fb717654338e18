/** Signing in at the identity provider of a tenant: from the start to the code that an application exchanges. */

import type { Context } from '../../core/context.ts'
import { asOperator, forTenant } from '../../core/create-context.ts'
import { invalidField, refusal } from '../../core/errors.ts'
import { clientNetwork } from '../../core/network.ts'
import { lookUpTenant } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { issueCode, type ReturnOptions, returnAddress } from '../code-exchange/code-exchange.ts'
import type { SignInStart } from '../code-exchange/schema.ts'
import { isFirstTime, tokenPurpose } from '../one-time-token/one-time-token.ts'
import { recordOnceAMinute } from '../one-time-token/refusal.ts'
import { accountFor, type PauseOwned } from './account.ts'
import { callbackPath } from './addresses.ts'
import { claimedAttributes } from './attributes.ts'
import { isSameIssuer, readClaims } from './claims.ts'
import { type ConfigurationParts, noProvider, optionsOf, settingsOf } from './configuration.ts'
import type { ProviderAnswer } from './provider.ts'
import { describeOAuthError, ProviderFailure, withoutQuote } from './provider-failure.ts'
import { providerSignIn } from './provider-session.ts'
import type { Callback } from './schema.ts'
import { findProvider } from './sql.ts'
import { newState, readState, type SignInState, secretsOf, validMs } from './state.ts'

/** Remembers states with which an exchange has begun. */
const usedStatePurpose = tokenPurpose<object>('sso-state', validMs)

export interface SingleSignOnParts extends ReturnOptions, ConfigurationParts {
  pauseOwned: PauseOwned
}

/** Why a sign-in has failed, as the address to which the browser returns names it. */
export type SignInFault = 'provider_refused' | 'provider_failed' | 'not_allowed'

/**
 * Starts a sign-in.
 * @returns the address of the provider
 * @throws ServiceError `notFound` without single sign-on, `invalid` for a foreign `returnTo`, `unavailable` when
 *   the provider does not answer, `tooManyRequests`
 */
export async function startSignIn(
  context: Context,
  parts: SingleSignOnParts,
  { tenantId, ...start }: SignInStart & { tenantId: string },
): Promise<URL> {
  const returnTo = returnAddress(parts, start.returnTo)
  const tenant = await lookUpTenant(context, tenantId)
  if (tenant?.isActive !== true) throw noProvider()
  const inTenant = forTenant(context, tenant)
  const row = await findProvider(inTenant.catalogue)
  if (row === null || !row.is_enabled) throw noProvider()
  const { issuer, tenant_id } = row
  const state = newState(context, {
    tenantId: tenant_id,
    issuer,
    returnTo: returnTo.href,
    codeChallenge: start.codeChallenge,
  })
  const { scopes, prompt, domainHint } = optionsOf(row)
  const request = {
    redirectUri: `${parts.baseUrl}${callbackPath}`,
    scopes,
    prompt,
    domainHint,
    state,
    loginHint: start.loginHint,
  }
  try {
    const settings = await settingsOf(inTenant, row)
    return await parts.providers.authorizationUrl(inTenant, settings, request, secretsOf(context, state))
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    await recordRefused(inTenant, error.message)
    throw refusal('providerNotReachable', {}, { cause: error, retryAfterSeconds: 10 })
  }
}

/**
 * Finishes a sign-in, when the browser returns from the provider.
 * @returns the address of the application, with a code for the exchange or with a fault
 * @throws ServiceError `invalid` for a state that this service has not made, or that has expired; `tooManyRequests`
 */
export async function finishSignIn(
  context: Context,
  parts: SingleSignOnParts,
  callback: Callback,
): Promise<URL> {
  const state = readState(context, callback.state)
  // Counts as a guess until the sign-in succeeds.
  const uncount = parts.providers.callbackGuesses.count(clientNetwork(context.clientAddress ?? ''))
  const tenant = state === null ? null : await lookUpTenant(context, state.tenantId)
  if (state === null || tenant?.isActive !== true)
    throw invalidField('state', 'is not of this service, or has expired: begin the sign-in again', 'expired')
  const outcome = await outcomeOf(forTenant(context, tenant), parts, { callback, state })
  if ('sign_in_code' in outcome) uncount()
  const url = new URL(state.returnTo)
  for (const [name, value] of Object.entries(outcome)) url.searchParams.set(name, value)
  return url
}

type Outcome = { sign_in_code: string; tenant: string } | { sign_in_error: SignInFault; tenant: string }

async function outcomeOf(
  context: Context,
  parts: SingleSignOnParts,
  { callback, state }: { callback: Callback; state: SignInState },
): Promise<Outcome> {
  const { id: tenantId } = context.tenant
  const refuse = async (fault: SignInFault, reason: string): Promise<Outcome> => {
    await recordRefused(context, reason)
    return { sign_in_error: fault, tenant: tenantId }
  }
  if (callback.error !== undefined)
    return refuse('provider_refused', describeCallback(callback.error, callback))
  const row = await findProvider(context.catalogue)
  if (row === null || !row.is_enabled || !isSameIssuer(row.issuer, state.issuer))
    return refuse('not_allowed', 'The provider was changed meanwhile.')
  const { groupRoles, groupsClaim, attributeClaims } = optionsOf(row)
  let answer: ProviderAnswer
  try {
    const request = {
      callback: addressOf(parts, callback),
      state: callback.state,
      wanted: [
        'email',
        ...(Object.keys(groupRoles).length > 0 ? [groupsClaim] : []),
        ...Object.values(attributeClaims),
      ],
    }
    const secrets = secretsOf(context, callback.state)
    answer = await parts.providers.limiter.run(context, 'signIn', async () => {
      await useState(context, callback.state)
      return parts.providers.exchange(context, await settingsOf(context, row), request, secrets)
    })
  } catch (error) {
    if (error instanceof ProviderFailure) return refuse('provider_failed', error.message)
    throw error
  }
  const sources = [answer.claims, answer.userInfo]
  const user = readClaims(sources, groupsClaim)
  const attributes = claimedAttributes(sources, attributeClaims, context.shared.attributes)
  const found = await accountFor(asOperator(context), { row, user, attributes }, parts.pauseOwned)
  if ('refused' in found) return refuse('not_allowed', found.refused)
  const { codeChallenge } = state
  const provider = providerSignIn(context, { issuer: row.issuer, subject: user.subject }, answer)
  const code = await inCatalogue(context, (inside) =>
    issueCode(inside, found.accountId, { codeChallenge, methods: ['sso'], provider }),
  )
  return { sign_in_code: code, tenant: tenantId }
}

/** Records a refusal at most once a minute for each reason, without regard to the text of the provider. */
function recordRefused(context: Context, reason: string): Promise<void> {
  const subject = { subjectType: 'session', subjectId: null, detail: { reason } }
  return recordOnceAMinute(context, `sso ${withoutQuote(reason)}`, { action: 'sso.refused', ...subject })
}

function describeCallback(error: string, { error_description }: Callback): string {
  return describeOAuthError({ error: knownErrors.has(error) ? error : 'another error', error_description })
}

/** The address of the callback as the provider has sent the browser there. */
function addressOf({ baseUrl }: SingleSignOnParts, callback: Callback): URL {
  const url = new URL(`${baseUrl}${callbackPath}`)
  for (const [name, value] of Object.entries(callback)) url.searchParams.set(name, value)
  return url
}

/** Uses a state, which permits one exchange. @throws ServiceError `invalid` for a state that was used */
async function useState(context: Context, state: string): Promise<void> {
  const isFirst = await inCatalogue(context, (inside) => isFirstTime(inside, usedStatePurpose, state))
  if (!isFirst) throw invalidField('state', 'was used: begin the sign-in again', 'expired')
}

/**
 * The errors of RFC 6749, section 4.1.2.1, and OpenID Connect Core, section 3.1.2.6.
 * Other texts may be from a stranger.
 */
const knownErrors: ReadonlySet<string> = new Set(
  `access_denied account_selection_required consent_required interaction_required invalid_request
  invalid_request_object invalid_request_uri invalid_scope login_required registration_not_supported
  request_not_supported request_uri_not_supported server_error temporarily_unavailable unauthorized_client
  unsupported_response_type`.split(/\s+/),
)

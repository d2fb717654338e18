/** Signing out of the service and of the identity provider (OpenID Connect RP-Initiated Logout 1.0). */
import { sessionOf } from '../../core/actor.ts'
import type { Context } from '../../core/context.ts'
import { atHome } from '../../core/create-context.ts'
import { invalidField } from '../../core/errors.ts'
import { returnAddress } from '../code-exchange/code-exchange.ts'
import { logOut } from '../session/session.ts'
import { signedIn } from '../user/signed-in.ts'
import { signedOutPath } from './addresses.ts'
import { isSameIssuer } from './claims.ts'
import { settingsOf } from './configuration.ts'
import { ProviderFailure } from './provider-failure.ts'
import { providerSessionOf } from './provider-session.ts'
import type { SignOutInput } from './schema.ts'
import type { SingleSignOnParts } from './sign-in.ts'
import { findProvider } from './sql.ts'
import { newSignOutState, readSignOutState } from './state.ts'

/**
 * Ends the session of the actor, also if the provider fails.
 * @returns the address at which the user signs out of the provider; `null` if there is none
 * @throws ServiceError `invalid` for a foreign `returnTo`
 */
export async function signOutAtProvider(
  context: Context,
  parts: SingleSignOnParts,
  input: SignOutInput,
): Promise<URL | null> {
  const returnTo = returnAddress(parts, input.returnTo)
  const actor = signedIn(context)
  const sessionId = sessionOf(actor)
  const home = atHome(context)
  const providerSession = sessionId === null ? null : await providerSessionOf(home, sessionId)
  await logOut(context, input.refreshToken ?? null)
  const row = providerSession === null ? null : await findProvider(home.catalogue)
  if (providerSession === null || row === null || actor.impersonator !== null) return null
  if (!isSameIssuer(row.issuer, providerSession.issuer)) return null
  const request = {
    redirectUri: `${parts.baseUrl}${signedOutPath}`,
    state: newSignOutState(context, returnTo.href),
    idToken: providerSession.idToken,
  }
  try {
    return await parts.providers.endSessionUrl(context, await settingsOf(home, row), request)
  } catch (error) {
    if (error instanceof ProviderFailure) return null
    throw error
  }
}

/**
 * @returns the address to which the browser returns after the provider
 * @throws ServiceError `invalid` as for a sign-in
 */
export function returnFromSignOut(context: Context, state: string): URL {
  const returnTo = readSignOutState(context, state)
  if (returnTo === null) throw invalidField('state', 'is not of this service, or has expired', 'expired')
  return new URL(returnTo)
}

/** Passkeys as WebAuthn sees them: for which host they are made, and from which origins they are used. */
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import type { Context, Tenant } from '../../core/context.ts'

/** Where users are when they use a passkey. */
export interface RelyingParty {
  /** `BASE_DOMAIN`, or the host of the public address; browsers offer its passkeys on its subdomains as well. */
  id: string
  /** Where users of the tenant are: never on the subdomain of another one. */
  originsFor(tenant: Pick<Tenant, 'subdomain'>): string[]
}

export interface RelyingPartyOptions {
  baseUrl: string
  /** The domain whose subdomains are tenants, or `null`. */
  baseDomain: string | null
  /** The origins of applications, also on Android; may be `*`, which is nobody's origin. */
  origins: readonly string[]
}

export function relyingParty({ baseUrl, baseDomain, origins }: RelyingPartyOptions): RelyingParty {
  const { hostname, origin, protocol, port } = new URL(baseUrl)
  const everywhere = [origin, ...origins.filter((each) => each !== '*')]
  // A browser takes a domain only from pages on it or below it.
  const isBelow = hostname === baseDomain || hostname.endsWith(`.${baseDomain}`)
  if (baseDomain === null || !isBelow) return { id: hostname, originsFor: () => everywhere }
  const originOf = (subdomain: string) =>
    new URL(`${protocol}//${subdomain}.${baseDomain}${port === '' ? '' : `:${port}`}`).origin
  return {
    id: baseDomain,
    originsFor: ({ subdomain }) => (subdomain === null ? everywhere : [...everywhere, originOf(subdomain)]),
  }
}

/** The algorithms of authenticators: EdDSA, ES256, RS256. The library would also offer experimental ones of Node.js. */
export const algorithms = [-8, -7, -257]

type Library = typeof import('@simplewebauthn/server')

/** Loaded when the first user asks for a passkey. */
export function library(): Promise<Library> {
  return import('@simplewebauthn/server')
}

/** The challenge that the authenticator has signed. @returns `null` for what is none */
export function challengeIn({ response }: { response: { clientDataJSON: string } }): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
    const hasChallenge = typeof data === 'object' && data !== null && 'challenge' in data
    return hasChallenge && typeof data.challenge === 'string' ? data.challenge : null
  } catch {
    return null // JSON.parse throws for whatever is no JSON
  }
}

/** @returns `null` for what the authenticator has not made for this challenge here */
export async function verifyRegistration(
  { shared, tenant }: Context,
  { id, originsFor }: RelyingParty,
  { response, challenge }: { response: RegistrationResponseJSON; challenge: string },
): Promise<WebAuthnCredential | null> {
  const { verifyRegistrationResponse } = await library()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: originsFor(tenant),
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    return registrationInfo?.credential ?? null
  } catch (error) {
    shared.log.debug({ err: error }, 'registration of a passkey refused')
    return null // the library throws for each fault of the response
  }
}

/** @returns the new counter; `null` for what the authenticator has not signed for this challenge here */
export async function verifyAssertion(
  { shared, tenant }: Context,
  { id, originsFor }: RelyingParty,
  expected: {
    response: AuthenticationResponseJSON
    challenge: string
    credential: WebAuthnCredential
    needsVerification: boolean
  },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: expected.response,
      expectedChallenge: expected.challenge,
      expectedOrigin: originsFor(tenant),
      expectedRPID: id,
      credential: expected.credential,
      requireUserVerification: expected.needsVerification,
    })
    return verified ? authenticationInfo.newCounter : null
  } catch (error) {
    shared.log.debug({ err: error }, 'passkey refused')
    return null // the library throws for each fault of the response
  }
}

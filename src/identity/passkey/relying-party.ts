/** WebAuthn: the host for which passkeys are made, the origins that may use them, and the verification of responses. */
import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server'
import type { Context, Tenant } from '../../core/context.ts'

/** The relying party of WebAuthn: the service for which passkeys are made. */
export interface RelyingParty {
  /** `BASE_DOMAIN`, or the host of the public address; browsers offer its passkeys on its subdomains as well. */
  id: string
  /** The origins from which users of the tenant may use passkeys: not the subdomain of another tenant. */
  originsFor(tenant: Pick<Tenant, 'subdomain'>): string[]
}

export interface RelyingPartyOptions {
  baseUrl: string
  /** The domain whose subdomains are tenants, or `null`. */
  baseDomain: string | null
  /** The origins of applications, also on Android. The wildcard `*` is ignored. */
  origins: readonly string[]
}

export function relyingParty({ baseUrl, baseDomain, origins }: RelyingPartyOptions): RelyingParty {
  const { hostname, origin, protocol, port } = new URL(baseUrl)
  const everywhere = [origin, ...origins.filter((each) => each !== '*')]
  // Browsers accept a domain only on pages of this domain or of its subdomains.
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

/** @returns the challenge that the authenticator has signed; `null` for data without a challenge */
export function challengeIn({ response }: { response: { clientDataJSON: string } }): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString())
    const hasChallenge = typeof data === 'object' && data !== null && 'challenge' in data
    return hasChallenge && typeof data.challenge === 'string' ? data.challenge : null
  } catch {
    return null // JSON.parse throws for data that is no JSON
  }
}

/** @returns the new credential; `null` if the response does not answer this challenge for this host */
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

/** @returns the new counter; `null` if the response does not answer this challenge for this host */
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

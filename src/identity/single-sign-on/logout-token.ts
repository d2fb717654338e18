/**
 * Logout tokens, with which a provider ends sessions (OpenID Connect Back-Channel
 * Logout 1.0, sections 2.4 and 2.6).
 */
import { createRemoteJWKSet, customFetch, decodeProtectedHeader, jwtVerify } from 'jose'

export type RemoteKeys = ReturnType<typeof createRemoteJWKSet>

/**
 * Whom a logout token signs out: a session of the provider, or all sessions of a
 * user. One of the two is not `null`.
 */
export interface Logout {
  /** The claim `jti`, which is unique at the issuer. */
  id: string
  subject: string | null
  sid: string | null
}

/** The maximum age of a token. The ids of used tokens are remembered for this time. */
export const maxTokenAgeSeconds = 10 * 60
export const toleranceSeconds = 30

/** Only asymmetric algorithms, whose public keys a provider publishes. */
export const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ')
/** The accepted values of the header `typ`. */
const types: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'logout+jwt', 'application/logout+jwt'])

/** @throws Error for a token that is not of the issuer, not for the audience, expired or too old */
export async function verifiedClaims(
  token: string,
  keys: RemoteKeys,
  expected: { issuer: string; audience: string; currentDate: Date },
): Promise<Record<string, unknown>> {
  // The library would name an unknown extension: a stranger could fill the audit with invented names.
  if (decodeProtectedHeader(token).crit !== undefined) throw new Error('The token has extensions.')
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    ...expected,
    algorithms,
    clockTolerance: toleranceSeconds,
    maxTokenAge: maxTokenAgeSeconds,
  })
  if (!types.has(protectedHeader.typ?.toLowerCase())) throw new Error('The token is of another type.')
  return payload
}

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
const maxTextLength = 255

/** @returns the logout, or as a text the reason why the claims are not those of a logout token */
export function readLogout(claims: Readonly<Record<string, unknown>>): Logout | string {
  const { events, jti } = claims
  if (typeof events !== 'object' || events === null || !(logoutEvent in events))
    return 'The token is no logout token.'
  const event: unknown = events[logoutEvent]
  if (typeof event !== 'object' || event === null) return 'The token is no logout token.'
  // An ID token has a nonce: it must not be taken for a logout token.
  if ('nonce' in claims) return 'The token has a nonce.'
  if (!isText(jti)) return 'The token has no id.'
  const [subject, sid] = [claims['sub'], claims['sid']].map((value) => value ?? null)
  if (subject === null && sid === null) return 'The token names neither a user nor a session.'
  if (!isTextOrNull(subject) || !isTextOrNull(sid)) return 'The token names no user or session.'
  return { id: jti, subject, sid }
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value)
}

/** Whether the value is a text that a database can store, of at most 255 characters. */
export function isText(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > maxTextLength) return false
  return value.isWellFormed() && !value.includes('\0')
}

/** The keys of a provider. The library reads them again for an unknown key, at most every half minute. */
export function remoteKeys(
  address: string,
  get: (url: string, headers: Record<string, string>) => Promise<Response>,
): RemoteKeys {
  const fetchKeys = (url: string, { headers }: { headers: Headers }): Promise<Response> =>
    get(url, Object.fromEntries(headers))
  return createRemoteJWKSet(new URL(address), { [customFetch]: fetchKeys })
}

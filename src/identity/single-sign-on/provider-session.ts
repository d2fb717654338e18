/**
 * Stores the session of the provider with which a session of the service began. A sign-out then ends it at the
 * provider, and the provider can end sessions of the service.
 */
import { type Context, now } from '../../core/context.ts'
import { isText } from './logout-token.ts'
import { idTokenPurpose } from './purpose.ts'
import { findProviderSession, insertProviderSession, liveSessionsFrom, type ProviderLogout } from './sql.ts'

/** The part of the provider's answer that a sign-in needs when the session begins. */
export interface ProviderSignIn {
  issuer: string
  subject: string
  sid: string | null
  /** Encrypted, in base64url. */
  idToken: string
}

/** A longer ID token is not stored: it becomes a part of the address for the sign-out, whose length is limited. */
const maxIdTokenLength = 2000

export function providerSignIn(
  { shared }: Context,
  { issuer, subject }: { issuer: string; subject: string },
  { claims, idToken }: { claims: Readonly<Record<string, unknown>>; idToken: string },
): ProviderSignIn {
  const { sid } = claims
  const text = idToken.length > maxIdTokenLength ? '' : idToken
  const encrypted = shared.secretBox.encrypt(text, idTokenPurpose)
  const sidOrNull = isText(sid) ? sid : null // a logout token with another value is refused
  return { issuer, subject, sid: sidOrNull, idToken: Buffer.from(encrypted).toString('base64url') }
}

/** Stores the session of the provider, inside the transaction that starts the session of the service. */
export async function keepProviderSession(
  inside: Context,
  sessionId: string,
  { issuer, subject, sid, idToken }: ProviderSignIn,
): Promise<void> {
  const { catalogue, shared } = inside
  await insertProviderSession(catalogue, {
    session_id: sessionId,
    issuer,
    subject,
    provider_sid: sid,
    // The master key may have changed since the sign-in.
    id_token: shared.secretBox.reencrypt(Buffer.from(idToken, 'base64url'), idTokenPurpose),
  })
}

/** @returns the issuer and the ID token, which may be empty; `null` for a session that did not begin at a provider */
export async function providerSessionOf(
  { catalogue, shared }: Context,
  sessionId: string,
): Promise<{ issuer: string; idToken: string } | null> {
  const row = await findProviderSession(catalogue, sessionId)
  if (row === null) return null
  return { issuer: row.issuer, idToken: shared.secretBox.decrypt(row.id_token, idTokenPurpose) }
}

/** Finds the sessions that a logout of the provider ends, in the order of their ids. */
export function sessionsSignedOut(
  inside: Context,
  logout: ProviderLogout,
): Promise<{ id: string; accountId: string }[]> {
  return liveSessionsFrom(inside.catalogue, logout, now(inside))
}

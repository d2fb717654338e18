/**
 * The `state` of a sign-in at a provider. It carries what the callback needs, signed, so that a start stores nothing: a
 * stranger may start as often as they like.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../core/context.ts'

/** The purpose of the digests that sign states and derive their secrets. */
export const statePurpose = 'sso-state'

/** The user signs in at the provider meanwhile. */
const validMs = 15 * 60_000

export interface SignInState {
  tenantId: string
  /** Of the provider: a state does not survive a change of the provider. */
  issuer: string
  returnTo: string
  /** Of whoever exchanges the result. */
  codeChallenge: string
}

export interface StateSecrets {
  /** In the ID token (OpenID Connect Core, section 3.1.2.1). */
  nonce: string
  /** For the provider (RFC 7636). */
  codeVerifier: string
}

interface Payload extends SignInState {
  /** Random, so that no two states are alike. */
  id: string
  /** Unix milliseconds. */
  expires: number
}

export function newState({ shared }: Context, state: SignInState): string {
  const id = randomBytes(16).toString('base64url')
  const payload: Payload = { ...state, id, expires: shared.clock().getTime() + validMs }
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${text}.${digest(shared, text).toString('base64url')}`
}

/** @returns `null` for a state that this service has not signed, or that has expired */
export function readState({ shared }: Context, state: string): SignInState | null {
  const [text = '', signature = '', ...rest] = state.split('.')
  const given = Buffer.from(signature, 'base64url')
  const expected = digest(shared, text)
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const payload = JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload // the signature is ours
  return payload.expires > shared.clock().getTime() ? payload : null
}

/** The same for each request with the state, and not to be guessed from it. */
export function secretsOf({ shared }: Context, state: string): StateSecrets {
  return {
    nonce: digest(shared, `nonce ${state}`).toString('base64url'),
    codeVerifier: digest(shared, `verifier ${state}`).toString('base64url'),
  }
}

function digest({ secretBox }: Context['shared'], text: string): Buffer {
  return secretBox.digest(text, statePurpose)
}

/**
 * The `state` of a sign-in at a provider. It contains what the callback needs, with a signature, so that a start stores
 * nothing: strangers could otherwise fill the database with starts.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../core/context.ts'

/** The purpose of the digests that sign states and derive their secrets. */
export const statePurpose = 'sso-state'

/** The time in which the user has to sign in at the provider. */
export const validMs = 15 * 60_000

export interface SignInState {
  tenantId: string
  /** The issuer of the provider at the start. If the tenant has changed its provider since, the callback is refused. */
  issuer: string
  returnTo: string
  /** The code challenge of the application, which exchanges the result. */
  codeChallenge: string
}

export interface StateSecrets {
  /** The nonce of the ID token (OpenID Connect Core, section 3.1.2.1). */
  nonce: string
  /** The code verifier that the provider gets (RFC 7636). */
  codeVerifier: string
}

interface Payload {
  /** A random id, so that no two states are alike. */
  id: string
  /** Unix milliseconds. */
  expires: number
}

export function newState(context: Context, state: SignInState): string {
  return sign(context, 'sign-in', state)
}

/** @returns `null` for a state that this service has not signed, or that has expired */
export function readState(context: Context, state: string): SignInState | null {
  return verify<SignInState>(context, 'sign-in', state)
}

/** The `state` of a sign-out: where the browser goes after it. */
export function newSignOutState(context: Context, returnTo: string): string {
  return sign(context, 'sign-out', { returnTo })
}

/** @returns the address; `null` for an invalid or expired state */
export function readSignOutState(context: Context, state: string): string | null {
  return verify<{ returnTo: string }>(context, 'sign-out', state)?.returnTo ?? null
}

type Kind = 'sign-in' | 'sign-out'

function sign({ shared }: Context, kind: Kind, state: object): string {
  const id = randomBytes(16).toString('base64url')
  const payload = { ...state, id, expires: shared.clock().getTime() + validMs }
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${text}.${digest(shared, `${kind} ${text}`).toString('base64url')}`
}

/** @param kind must be the kind with which the state was signed */
function verify<T extends object>({ shared }: Context, kind: Kind, state: string): T | null {
  const [text = '', signature = '', ...rest] = state.split('.')
  const given = Buffer.from(signature, 'base64url')
  const expected = digest(shared, `${kind} ${text}`)
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const payload = JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload & T // written by `sign`
  return payload.expires > shared.clock().getTime() ? payload : null
}

/** Derives secrets from the state: the same ones for each request, which nobody can guess from the state. */
export function secretsOf({ shared }: Context, state: string): StateSecrets {
  return {
    nonce: digest(shared, `nonce ${state}`).toString('base64url'),
    codeVerifier: digest(shared, `verifier ${state}`).toString('base64url'),
  }
}

function digest({ secretBox }: Context['shared'], text: string): Buffer {
  return secretBox.digest(text, statePurpose)
}

/**
 * The session of this browser. The refresh token is kept in the storage of the origin, so that all tabs share one
 * session; the access token is in memory only. The policy of the page allows no script of anybody else.
 */
import { actingToken, endActing, forgetActing, isActing } from './acting.ts'
import { forgetPortalToken, isEmbedded, portalToken } from './portal.ts'
import { serviceAddress } from './service.ts'

export interface SignIn {
  accessToken: string
  refreshToken: string
  expiresAt: string
}

const key = 'tenantry.refreshToken'

let accessToken: string | null = null
let expiresAtMs = 0
let refreshing: Promise<string | null> | null = null
const listeners = new Set<() => void>()

export function keepSession(signIn: SignIn): void {
  accessToken = signIn.accessToken
  expiresAtMs = Date.parse(signIn.expiresAt)
  localStorage.setItem(key, signIn.refreshToken)
}

export function endSession(): void {
  forgetPortalToken()
  if (!isEmbedded) {
    forgetActing()
    accessToken = null
    localStorage.removeItem(key)
  }
  for (const notify of listeners) notify()
}

export function hasSession(): boolean {
  return localStorage.getItem(key) !== null
}

/** For whoever revokes it. */
export function refreshToken(): string | null {
  return localStorage.getItem(key)
}

/** @param notify called when the session ends, here or in another tab */
export function onSessionEnd(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

addEventListener('storage', (event) => {
  if (event.key === key && event.newValue === null) endSession()
})

const marginMs = 10_000

/** @returns a token that is valid for some seconds at least; `null` without a session */
export async function currentToken(): Promise<string | null> {
  if (isEmbedded) return portalToken()
  const acting = await actingToken()
  if (acting !== null) return acting
  if (accessToken !== null && Date.now() < expiresAtMs - marginMs) return accessToken
  refreshing ??= refresh().finally(() => {
    refreshing = null
  })
  return refreshing
}

/** Forgets a token that the service has refused. */
export function expireToken(): void {
  forgetPortalToken()
  if (!isEmbedded && isActing()) endActing()
  expiresAtMs = 0
}

/** One tab at a time: a refresh token is used once. */
function refresh(): Promise<string | null> {
  if (!('locks' in navigator)) return exchange()
  return navigator.locks.request(key, exchange)
}

async function exchange(): Promise<string | null> {
  const token = localStorage.getItem(key)
  if (token === null) return null
  const reply = await fetch(serviceAddress('/api/auth/refresh'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refreshToken: token }),
  })
  if (reply.status === 401 || reply.status === 403) {
    endSession()
    return null
  }
  if (!reply.ok) throw new Error(`The session could not be renewed: ${reply.status}`)
  keepSession((await reply.json()) as SignIn) // as the API describes it
  return accessToken
}

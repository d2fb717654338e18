/**
 * The sessions of this browser, which may be of several tenants or users. Each tab uses one of them. Refresh tokens
 * are in the storage of the origin, where no foreign script can read them (the page's policy allows none); access
 * tokens are in memory only.
 */
import { actingToken, endActing, forgetActing, isActing } from './acting.ts'
import { forgetPortalToken, isEmbedded, portalToken } from './portal.ts'
import { hrefOf } from './router.ts'
import { serviceAddress } from './service.ts'

export interface SignIn {
  accessToken: string
  refreshToken: string
  expiresAt: string
}

export interface SessionUser {
  id: string
  name: string
  tenantId: string
  tenant: string
}

interface StoredSession {
  refreshToken: string
  /** The user, as soon as it is known. */
  user?: SessionUser
}

export interface KeptSession {
  id: string
  user: SessionUser
}

const prefix = 'tenantry.session.'
/** The id of the tab's session, empty for none. A new tab takes that of the tab that was used last. */
const chosenKey = 'tenantry.session'

let accessToken: string | null = null
let expiresAtMs = 0
let refreshing: Promise<string | null> | null = null
const listeners = new Set<() => void>()

function ownKey(): string {
  return prefix + (sessionStorage.getItem(chosenKey) ?? localStorage.getItem(chosenKey) ?? '')
}

function stored(key: string): StoredSession | null {
  return JSON.parse(localStorage.getItem(key) ?? 'null') as StoredSession | null // as `keep` has written it
}

function keep(key: string, { accessToken: token, expiresAt, refreshToken: next }: SignIn): void {
  accessToken = token
  expiresAtMs = Date.parse(expiresAt)
  localStorage.setItem(key, JSON.stringify({ ...stored(key), refreshToken: next }))
}

function choose(id: string): void {
  sessionStorage.setItem(chosenKey, id)
  if (id !== '') localStorage.setItem(chosenKey, id)
}

/** Begins a session for this tab. The browser may have others. */
export function beginSession(signIn: SignIn): void {
  choose(String(Date.now()))
  keep(ownKey(), signIn)
}

/** Ends the session of this tab; the others go on. */
export function endSession(): void {
  forgetPortalToken()
  if (!isEmbedded) {
    forgetActing()
    accessToken = null
    localStorage.removeItem(ownKey())
    choose('')
  }
  for (const notify of listeners) notify()
}

export function hasSession(): boolean {
  return stored(ownKey()) !== null
}

/** @returns the refresh token of this tab's session, for revoking it */
export function refreshToken(): string | null {
  return stored(ownKey())?.refreshToken ?? null
}

/** Stores whose session this is. It replaces an earlier session of the same user. */
export function nameSession(user: SessionUser): void {
  const key = ownKey()
  const session = stored(key)
  if (session === null) return
  const earlier = otherSessions().find((each) => each.user.id === user.id)
  if (earlier !== undefined) {
    localStorage.removeItem(key)
    choose(earlier.id)
  }
  localStorage.setItem(ownKey(), JSON.stringify({ ...session, user }))
}

/** @returns the sessions of this browser except that of this tab */
export function otherSessions(): KeptSession[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix) && key !== ownKey())
    .toSorted()
    .flatMap((key) => {
      const user = stored(key)?.user
      return user === undefined ? [] : [{ id: key.slice(prefix.length), user }]
    })
}

/**
 * Switches this tab to another session, and loads the page again, so that nothing of the old session is left.
 * @param id empty to sign in
 */
export function switchSession(id: string): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith('tenantry.list.')) sessionStorage.removeItem(key)
  choose(id)
  location.assign(hrefOf('/'))
}

/** @param notify called when the session ends, here or in another tab @returns a function that ends this */
export function onSessionEnd(notify: () => void): () => void {
  listeners.add(notify)
  return () => listeners.delete(notify)
}

if (!isEmbedded) {
  const chosen = sessionStorage.getItem(chosenKey) ?? localStorage.getItem(chosenKey)
  if (chosen !== null) sessionStorage.setItem(chosenKey, chosen)
  addEventListener('storage', ({ key, newValue }) => {
    if (key === ownKey() && newValue === null) endSession()
  })
  addEventListener('focus', () => {
    if (hasSession()) choose(ownKey().slice(prefix.length))
  })
}

/** A token is renewed this long before it expires. */
const marginMs = 10_000

/**
 * @returns a token that is valid for some seconds at least; `null` without a session
 * @throws TypeError without a reply; Error with the reply as its cause if the service cannot renew the session now
 */
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

/** Renews the access token in one tab at a time, because a refresh token can be used only once. */
function refresh(): Promise<string | null> {
  const key = ownKey()
  if (!('locks' in navigator)) return exchange(key)
  return navigator.locks.request(key, () => exchange(key))
}

async function exchange(key: string): Promise<string | null> {
  const token = stored(key)?.refreshToken
  if (token === undefined) return null
  const reply = await fetch(serviceAddress('/api/auth/refresh'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refreshToken: token }),
  })
  if (reply.status === 401 || reply.status === 403) {
    endSession()
    return null
  }
  if (!reply.ok) throw new Error('The session could not be renewed.', { cause: reply })
  keep(key, (await reply.json()) as SignIn) // as the API describes it
  return accessToken
}

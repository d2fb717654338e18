/**
 * The embedded pages of webhooks: the address has the id of their session, and its fragment the token, which is kept in
 * memory alone. Browsers may refuse an embedded page its storage, and its questions.
 */
export interface PortalSession {
  customer: string | null
  /** The events that it may subscribe to; `null` for those of every user. */
  events: readonly string[] | null
  readOnly: boolean
}

const [path] = /^\/console\/embed\/[\w-]+/.exec(location.pathname) ?? [null]

export const isEmbedded = path !== null
/** Where the addresses of all pages begin. */
export const base = path ?? '/console'

let token = isEmbedded ? new URLSearchParams(location.hash.slice(1)).get('token') : null
if (isEmbedded) history.replaceState(null, '', location.pathname + location.search)

export function portalToken(): string | null {
  return token
}

export function forgetPortalToken(): void {
  token = null
}

/** @returns `null` also for a page whose browser gives it no storage */
export function storedChoice(key: string): string | null {
  return isEmbedded ? null : localStorage.getItem(key)
}

/**
 * The embedded pages of webhooks: the address has the id of their session, and its fragment the token, which is kept in
 * memory alone. Browsers may refuse an embedded page its storage, and its questions.
 */
import { serviceAddress } from './service.ts'

export interface PortalSession {
  customer: string | null
  /** The events that it may subscribe to; `null` for those of every user. */
  events: readonly string[] | null
  readOnly: boolean
}

const consolePath = serviceAddress('/console')
const inService = location.pathname.startsWith(`${consolePath}/`)
  ? location.pathname.slice(consolePath.length)
  : ''
const [embedded] = /^\/embed\/[\w-]+/.exec(inService) ?? [null]
const path = embedded === null ? null : `${consolePath}${embedded}`
// A proxy may have decoded another address of the whole console, which nobody may embed.
if (path === null && window.top !== window.self) throw new Error('The console is not shown in a frame.')

export const isEmbedded = path !== null
/** Where the addresses of all pages begin. */
export const base = path ?? consolePath

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

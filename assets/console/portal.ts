/**
 * Knows whether this page is the webhook portal, which applications embed for their customers. Its address has the
 * id of a session, and the fragment the token, which is kept only in memory: browsers may refuse storage to an
 * embedded page.
 */
import { serviceAddress } from './service.ts'

export interface PortalSession {
  customer: string | null
  /** The patterns of events that the session may subscribe to; `null`: the events that every user may see. */
  events: readonly string[] | null
  readOnly: boolean
}

const consolePath = serviceAddress('/console')
const inService = location.pathname.startsWith(`${consolePath}/`)
  ? location.pathname.slice(consolePath.length)
  : ''
const [embedded] = /^\/embed\/[\w-]+/.exec(inService) ?? [null]
const path = embedded === null ? null : `${consolePath}${embedded}`
// The whole console must not be in a frame. The service forbids it by headers; a proxy may have changed the address.
if (path === null && window.top !== window.self) throw new Error('The console is not shown in a frame.')

export const isEmbedded = path !== null
/** The path with which the addresses of all pages begin. */
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

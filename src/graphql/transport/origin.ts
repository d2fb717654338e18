import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a browser that opens a WebSocket does so from a page that may: unlike fetch, it asks nobody first.
 * Clients that are no browsers send no Origin.
 */
export function isOurOrigin({ origin, host }: IncomingHttpHeaders, corsOrigins: readonly string[]): boolean {
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

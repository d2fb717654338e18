/**
 * Whether a browser that opens a WebSocket does so from a page that may: unlike fetch, it asks nobody first.
 * Clients that are no browsers send no Origin.
 * @param host by which we were called
 */
export function isOurOrigin(
  origin: string | undefined,
  host: string,
  corsOrigins: readonly string[],
): boolean {
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return true
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}

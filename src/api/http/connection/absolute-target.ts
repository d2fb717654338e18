/** Requests whose target is an address with a host, as clients send it to proxies (RFC 9112, section 3.2.2). */
import type { IncomingMessage } from 'node:http'

const absolute = /^https?:\/\/([^/?#]+)([/?].*)?$/i

/** The host of the target takes the place of `Host`. @returns the path and the query */
export function takeOriginForm({ headers, url = '' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const [, host, rest = '/'] = absolute.exec(url) ?? []
  if (host === undefined) return url
  headers.host = host
  return rest.startsWith('?') ? `/${rest}` : rest
}

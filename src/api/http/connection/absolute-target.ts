/** Requests whose target is an address with a host, as clients send it to proxies (RFC 9112, section 3.2.2). */
import type { IncomingMessage } from 'node:http'
import { withoutBasePath } from '../../../core/base-path.ts'

const absolute = /^https?:\/\/([^/?#]+)([/?].*)?$/i

/** @returns the path and the query of a request, without the base path */
export function requestTarget(request: IncomingMessage, basePath: string): string {
  const target = takeOriginForm(request)
  return basePath === '' ? target : withoutBasePath(target, basePath)
}

/** The host of the target takes the place of `Host`. @returns the path and the query */
function takeOriginForm({ headers, url = '' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const [, host, rest = '/'] = absolute.exec(url) ?? []
  if (host === undefined) return url
  headers.host = host
  return rest.startsWith('?') ? `/${rest}` : rest
}

/** Validates a URL that a tenant chooses, as written. Its host name is resolved and checked at each request. */
import { isIP } from 'node:net'
import { type AddressPolicy, isLoopback, mayReach } from './ip-address.ts'

/** Requires an explicit scheme and authority. URL parsers differ on blanks, control characters and backslashes. */
const absoluteUrl = /^https?:\/\/([^/?#]+)([/?#].*)?$/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused
const ambiguous = /[\s\\\u0000-\u001f\u007f]/

/** @returns why the URL is refused; `null` for one that is accepted */
export function findUrlFault(text: string, policy: AddressPolicy): string | null {
  const authority = absoluteUrl.exec(text)?.[1]
  const url = ambiguous.test(text) ? null : URL.parse(text)
  if (authority === undefined || url === null) return notAbsolute(policy)
  if (authority.includes('@')) return 'must not hold credentials'
  if (url.port === '0') return 'must not have port 0'
  const host = hostOf(url)
  if (host.split('.').includes('')) return 'must name a host'
  if (!isReachableAsWritten(host, policy)) return isLoopbackHost(host) ? notLoopback : notPrivate
  return url.protocol === 'http:' ? plainFault(host, policy) : null
}

/** @returns why the host is not reached without TLS */
function plainFault(host: string, { http }: AddressPolicy): string | null {
  if (!http) return 'must be https'
  return isLoopbackHost(host) ? null : 'must be https, or http to a loopback address'
}

const notLoopback =
  'must not lead to a loopback address, unless WEBHOOK_ALLOWED_NETWORKS names it, or the service is in development and ' +
  'listens on loopback alone'
const notPrivate =
  'must not lead to a private or reserved address, unless WEBHOOK_ALLOWED_NETWORKS names its network'

function notAbsolute({ http }: AddressPolicy): string {
  return http ? 'must be an https address, or an http address on loopback' : 'must be an https address'
}

/** @returns the host of a URL without the brackets of IPv6 and without a dot at the end */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** `localhost` and its subdomains are loopback, whatever a name server answers (RFC 6761, section 6.3). */
export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

function isReachableAsWritten(host: string, policy: AddressPolicy): boolean {
  if (isIP(host) !== 0) return mayReach(host, policy)
  return !isLocalName(host) || mayReach('127.0.0.1', policy)
}

function isLoopbackHost(host: string): boolean {
  return isIP(host) === 0 ? isLocalName(host) : isLoopback(host)
}

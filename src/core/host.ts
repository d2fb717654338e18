/**
 * Compares host names as clients write them. Equal hosts may differ in their case, in a dot at the end, and in a
 * port that the scheme implies (RFC 3986, sections 3.2.2 and 6.2.3).
 */

/** @returns the name in a `Host` header: without port and final dot, in lower case; IPv6 keeps its brackets */
export function hostNameOf(host: string): string {
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':')
  const name = end <= 0 ? host : host.slice(0, end)
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase()
}

/** @returns the origin in a form in which equal origins are equal texts; `null` unless it is an address of HTTP */
export function originOf(address: string): string | null {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  return `${url.protocol}//${hostNameOf(url.hostname)}${url.port === '' ? '' : `:${url.port}`}`
}

/**
 * Whether the origin of a page is the host of the request. The scheme of the request is not compared, because a
 * proxy may have ended TLS.
 * @param host of the request
 */
export function isSameHost(origin: string, host: string): boolean {
  const page = originOf(origin)
  return page !== null && page === originOf(`${page.slice(0, page.indexOf(':'))}://${host}`)
}

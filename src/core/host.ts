/**
 * Hosts as clients write them. Those of one meaning may differ in their case, in the dot of the root and in a port that
 * the scheme implies (RFC 3986, sections 3.2.2 and 6.2.3).
 */

/** @returns the name in a `Host`: without a port, without the dot of the root, in lower case; IPv6 keeps its brackets */
export function hostNameOf(host: string): string {
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.indexOf(':')
  const name = end <= 0 ? host : host.slice(0, end)
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase()
}

/** @returns the origin in the form in which equal ones are equal texts; `null` for what is no address of HTTP */
export function originOf(address: string): string | null {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  return `${url.protocol}//${hostNameOf(url.hostname)}${url.port === '' ? '' : `:${url.port}`}`
}

/**
 * Whether a page of the origin is on the host of the request. The scheme is that of the origin: a proxy may have ended
 * TLS.
 * @param host of the request
 */
export function isSameHost(origin: string, host: string): boolean {
  const page = originOf(origin)
  return page !== null && page === originOf(`${page.slice(0, page.indexOf(':'))}://${host}`)
}

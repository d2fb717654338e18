/** The base path: the path of the setting `BASE_URL`, below which a proxy serves the service. It is usually empty. */

export function basePathOf(baseUrl: string): string {
  const { pathname } = new URL(baseUrl)
  return pathname === '/' ? '' : pathname
}

/** @returns the address of a request without the base path, which a proxy passes on or takes off */
export function withoutBasePath(url: string, basePath: string): string {
  if (!url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url
}

type Headers = Readonly<Record<string, string>>

/** Adds the base path to headers of a reply that name paths of the service: `/api/products/…`, `</api/products?…>`. */
export function belowBasePath(headers: Headers, basePath: string): Headers {
  if (basePath === '') return headers
  const { location, link } = headers
  const moved: Record<string, string> = { ...headers }
  if (location?.startsWith('/')) moved['location'] = `${basePath}${location}`
  if (link?.startsWith('</')) moved['link'] = `<${basePath}${link.slice(1)}`
  return moved
}

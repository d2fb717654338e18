/** The credentials and the tenant of a WebSocket: from the headers of its upgrade, or from `connection_init`. */
import type { IncomingHttpHeaders } from 'node:http'
import type { RequestOrigin } from '../../http/connection/proxy.ts'
import type { TenantHints } from '../../http/request/resolve-tenant.ts'

/** The request of the upgrade. */
export interface UpgradeRequest extends RequestOrigin {
  headers: IncomingHttpHeaders
  url: string
}

/** The payload of `connection_init` or a ping. */
export type Params = Readonly<Record<string, unknown>>

export function tenantHintsOf({ headers, url, host }: UpgradeRequest, params: Params): TenantHints {
  const authorization = authorizationOf(params) ?? headers.authorization
  const tenant = textOf(params, 'tenant') ?? textOf(params, 'x-tenant-id') ?? textOf(params, 'X-Tenant-Id')
  return {
    headers: { ...headers, ...(tenant !== undefined && { 'x-tenant-id': tenant }), authorization },
    query: Object.fromEntries(new URL(url, 'http://localhost').searchParams),
    hostname: host.replace(/:\d+$/, ''),
  }
}

/** Accepts a token without a scheme. */
export function authorizationOf(params: Params): string | undefined {
  const value = textOf(params, 'authorization') ?? textOf(params, 'Authorization')
  return value === undefined || value.includes(' ') ? value : `Bearer ${value}`
}

function textOf(params: Params, name: string): string | undefined {
  const value = params[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Whether the page that opens a WebSocket is allowed to. Browsers send no preflight request for WebSockets; other
 * clients send no Origin.
 * @param host of the request
 */
export function isAllowedOrigin(
  origin: string | undefined,
  host: string,
  corsOrigins: readonly string[],
): boolean {
  if (origin === undefined || corsOrigins.includes('*') || corsOrigins.includes(origin)) return true
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase()
}

/** The credentials and the tenant of a WebSocket: from the headers of its upgrade, or from `connection_init`. */
import type { IncomingHttpHeaders } from 'node:http'
import { isSameHost, originOf } from '../../../core/host.ts'
import type { RequestOrigin } from '../../http/connection/proxy.ts'
import type { AdmissionRequest } from '../../http/request/admission.ts'

export interface UpgradeRequest extends RequestOrigin {
  headers: IncomingHttpHeaders
  url: string
}

/** The payload of `connection_init` or a ping. */
export type Params = Readonly<Record<string, unknown>>

export function admissionOf(
  { address, headers, url, host }: UpgradeRequest,
  params: Params,
): AdmissionRequest {
  const authorization = authorizationOf(params)
  // An empty id counts as well, and is refused: the client does not mean the tenant of its token.
  const tenant = [params['tenant'], params['x-tenant-id'], params['X-Tenant-Id']].find(isText)
  return {
    headers: {
      ...(authorization === undefined ? headers : renewed(headers, authorization)),
      ...(tenant !== undefined && { 'x-tenant-id': tenant }),
    },
    ip: address,
    query: Object.fromEntries(new URL(url, 'http://localhost').searchParams),
    host,
  }
}

/** @returns the headers, with this credential in place of theirs */
export function renewed(
  headers: AdmissionRequest['headers'],
  authorization: string,
): AdmissionRequest['headers'] {
  return { ...headers, authorization, 'x-api-key': undefined }
}

/** Accepts a token without a scheme. */
export function authorizationOf(params: Params): string | undefined {
  const value = textOf(params, 'authorization') ?? textOf(params, 'Authorization')
  return value === undefined || value.includes(' ') ? value : `Bearer ${value}`
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function textOf(params: Params, name: string): string | undefined {
  const value = params[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Whether the page that opens a WebSocket is allowed to. Browsers send no preflight request for WebSockets; other
 * clients send no Origin.
 * @param host of the request
 * @param allowed further origins, as `originOf` writes them, or `*`
 */
export function isAllowedOrigin(
  origin: string | undefined,
  host: string,
  allowed: readonly (string | null)[],
): boolean {
  if (origin === undefined || allowed.includes('*') || isSameHost(origin, host)) return true
  const page = originOf(origin)
  return page !== null && allowed.includes(page)
}

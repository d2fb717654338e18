/** Resolves the tenant of a request: from its header, its query, or the first label of its host, in this order. */
import { isIP } from 'node:net'
import type { Tenant } from '../../../core/context.ts'
import { invalidField } from '../../../core/errors.ts'
import { hostNameOf } from '../../../core/host.ts'
import type { TenantDirectory } from '../../../core/tenant/directory.ts'

/** The parts of a request that may name a tenant. */
export interface TenantHints {
  headers: { readonly [name: string]: string | string[] | undefined; authorization?: string | undefined }
  query: unknown
  /** The host of the request as the header `Host` writes it, perhaps with a port. */
  host: string
}

/** Which hosts name tenants. */
export interface HostRules {
  /** The domain whose subdomains are tenants, or `null`. */
  baseDomain: string | null
  /** The service's own host, which never names a tenant, whatever subdomains tenants have. */
  ownHost: string
}

/** `none`: the request names no tenant. `null`: it names one that does not exist. */
export type Resolved = Tenant | null | 'none'

/** @throws ServiceError `invalid` for an empty name: a client whose variable is not set does not mean the host tenant */
export function resolveTenant(
  request: TenantHints,
  directory: TenantDirectory,
  rules: HostRules,
): Resolved | Promise<Resolved> {
  const header = request.headers['x-tenant-id']
  if (header !== undefined) return directory.byId(named(header, 'X-Tenant-Id'))
  const { tenant } = request.query as { tenant?: string | string[] } // the query parser gives nothing else
  if (tenant !== undefined) return directory.byId(named(tenant, 'tenant'))
  return resolveHost(hostNameOf(request.host), directory, rules)
}

function named(given: string | string[], name: string): string {
  const text = String(given)
  if (text.trim() === '') throw invalidField(name, 'must name a tenant', 'badPattern')
  return text
}

function resolveHost(
  host: string,
  directory: TenantDirectory,
  { baseDomain, ownHost }: HostRules,
): Resolved | Promise<Resolved> {
  if (host === ownHost) return 'none'
  if (baseDomain !== null) {
    if (!host.endsWith(`.${baseDomain}`)) return 'none'
    return directory.bySubdomain(firstLabel(host))
  }
  const mayNameTenant = host.endsWith('.localhost') || (host.split('.').length >= 3 && isIP(host) === 0)
  if (!mayNameTenant) return 'none'
  const found = directory.bySubdomain(firstLabel(host))
  return found instanceof Promise ? found.then((tenant) => tenant ?? 'none') : (found ?? 'none')
}

function firstLabel(host: string): string {
  return host.slice(0, host.indexOf('.'))
}

/** Links of mails to the account pages: those of the application, or else those of the service. */
import type { Tenant } from '../core/context.ts'

export interface AccountPages {
  /** The address, without a slash at its end. */
  url: string
  /** Whether the service serves the pages itself. */
  isOwn: boolean
  /** The public address of the service, and origins of applications: where the pages may lead in the end. */
  baseUrl: string
  origins: readonly string[]
  /** Where users of the tenant sign in: the console. */
  signInUrl(tenant: Pick<Tenant, 'id' | 'subdomain'>): string
}

export interface AddressConfig {
  /** The setting `ACCOUNT_URL`: where the application has its pages. */
  accountUrl: string | null
  baseUrl: string
  /** The domain whose subdomains are tenants. */
  baseDomain: string | null
  corsOrigins: readonly string[]
}

export function accountPages({ accountUrl, baseUrl, baseDomain, corsOrigins }: AddressConfig): AccountPages {
  return {
    url: accountUrl === null ? `${baseUrl}/account` : accountUrl.replace(/\/$/, ''),
    isOwn: accountUrl === null,
    baseUrl,
    origins: corsOrigins,
    signInUrl: (tenant) => consoleUrl({ baseUrl, baseDomain }, tenant),
  }
}

/** The console of the tenant, which is named by its host below `BASE_DOMAIN`, or else by the parameter `tenant`. */
function consoleUrl(
  { baseUrl, baseDomain }: Pick<AddressConfig, 'baseUrl' | 'baseDomain'>,
  { id, subdomain }: Pick<Tenant, 'id' | 'subdomain'>,
): string {
  const url = new URL(`${baseUrl}/console`)
  if (baseDomain === null || subdomain === null) url.searchParams.set('tenant', id)
  else url.hostname = `${subdomain}.${baseDomain}`
  return url.href
}

export interface LinkTarget {
  tenantId: string
  token: string
  /** Where the page leads in the end: an address that `returnAddress` accepts. */
  returnTo?: string | undefined
}

/**
 * The address of a page with a token. Pages of an application get the token in the fragment, which browsers do not
 * send: it is in no log and no `Referer`. The pages of the service work without scripts, and get it in the query.
 */
export function accountLink(
  { url: base, isOwn }: AccountPages,
  page: string,
  { tenantId, token, returnTo }: LinkTarget,
): string {
  const url = new URL(`${base}/${page}`)
  url.searchParams.set('tenant', tenantId)
  if (isOwn) url.searchParams.set('token', token)
  if (returnTo !== undefined) url.searchParams.set('returnTo', returnTo)
  if (!isOwn) url.hash = new URLSearchParams({ token }).toString()
  return url.href
}

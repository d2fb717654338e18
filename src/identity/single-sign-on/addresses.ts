/** The addresses of the service that are configured at an identity provider. */
import type { ProviderAddresses } from './schema.ts'

/** They are the same for every provider of the tenant. */
export function addressesOf(tenantId: string, baseUrl: string): ProviderAddresses {
  return {
    redirectUri: `${baseUrl}${callbackPath}`,
    signOutRedirectUri: `${baseUrl}${signedOutPath}`,
    logoutUri: `${baseUrl}${logoutPath(tenantId)}`,
    jwksUri: `${baseUrl}${clientKeysPath(tenantId)}`,
  }
}

export const callbackPath = '/api/auth/sso/callback'
export const signedOutPath = '/api/auth/sso/signed-out'

export function logoutPath(tenantId: string): string {
  return `/api/auth/sso/${tenantId}/backchannel-logout`
}

export function clientKeysPath(tenantId: string): string {
  return `/api/auth/sso/${tenantId}/jwks.json`
}

/**
 * Signs in on the account page of the service, which sends the browser back with a code (OAuth with PKCE, RFC 7636).
 */
import { request } from './api.ts'
import { goTo, hrefOf } from './router.ts'
import { serviceAddress } from './service.ts'
import { beginSession, type SignIn } from './session.ts'

const key = 'tenantry.codeVerifier'
/** The key of the stored address where the user was when the session ended. */
const placeKey = 'tenantry.place'

/** @returns the address of the account page @param tenant empty for the tenant that the host name names */
export async function accountPageHref(tenant: string): Promise<string> {
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(32)))
  sessionStorage.setItem(key, verifier)
  sessionStorage.setItem(placeKey, location.pathname + location.search)
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const query = new URLSearchParams({
    returnTo: hrefOf('/'),
    codeChallenge: base64Url(new Uint8Array(digest)),
    ...(tenant !== '' && { tenant }),
  })
  return serviceAddress(`/account/sign-in?${query}`)
}

/**
 * Exchanges the code in the address for a session.
 * @returns whether there was a code
 * @throws ApiError if it is refused
 */
export async function exchangeCode(address: URL): Promise<boolean> {
  const code = address.searchParams.get('sign_in_code')
  const codeVerifier = sessionStorage.getItem(key)
  if (code === null || codeVerifier === null) return false
  sessionStorage.removeItem(key)
  const tenant = address.searchParams.get('tenant')
  goTo(sessionStorage.getItem(placeKey) ?? hrefOf('/'), { replaces: true })
  sessionStorage.removeItem(placeKey)
  const headers: Record<string, string> = tenant === null ? {} : { 'x-tenant-id': tenant }
  const { body } = await request<SignIn>('POST', '/api/auth/token', { body: { code, codeVerifier }, headers })
  beginSession(body)
  return true
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

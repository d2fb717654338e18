/** Headers of every reply. The pages bring a Content-Security-Policy of their own. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // A shared cache must not mix tenants; a client may keep a reply and ask whether it still holds.
  'cache-control': 'private, no-cache',
  // For a cache that keeps it all the same: these decide what is answered at one address.
  vary: 'Authorization, X-Tenant-Id, Accept',
}

/** The replies to commands, which hold tokens and secrets that are shown once, are kept by nobody (RFC 6749, section 5.1). */
export const uncached = { 'cache-control': 'no-store' }

/** Browsers heed it over https only, so it does no harm behind a plain development address. */
export const transportSecurity = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

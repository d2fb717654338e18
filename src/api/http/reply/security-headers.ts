/** Headers of every reply. Pages have another Content-Security-Policy. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // Shared caches must not mix tenants; a client may store a reply and revalidate it.
  'cache-control': 'private, no-cache',
  // For caches that store replies nevertheless.
  vary: 'Authorization, X-Api-Key, X-Tenant-Id, Accept',
}

/** Replies to commands are not stored: they may contain tokens and secrets (RFC 6749, section 5.1). */
export const uncached = { 'cache-control': 'no-store' }

/** Browsers apply it over https only, so it has no effect on a plain development address. */
export const transportSecurity = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

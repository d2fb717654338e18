/** Headers of every reply. The pages bring a Content-Security-Policy of their own. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // A shared cache must not mix tenants; a client may keep a reply and ask whether it still holds.
  'cache-control': 'private, no-cache',
}

/** Browsers heed it over https only, so it does no harm behind a plain development address. */
export const transportSecurity = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** Shopify's: `X-Shopify-Hmac-Sha256`, base64 over the body alone. There is no timestamp in it. */
import { base64Digest, findSecret, readHeader, type SignedMessage, type Verdict } from './message.ts'

export function verifyShopify(message: SignedMessage): Verdict {
  const header = readHeader(message, 'x-shopify-hmac-sha256')
  if (header === null) return { refusal: 'missing' }
  const digest = base64Digest(header)
  return digest === null ? { refusal: 'malformed' } : findSecret(message, [digest])
}

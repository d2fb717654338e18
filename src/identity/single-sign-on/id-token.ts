/** Verifies the signature of an ID token. The library that has exchanged the code verifies its claims. */
import { compactVerify, decodeProtectedHeader, errors } from 'jose'
import { algorithms, type RemoteKeys } from './logout-token.ts'

/**
 * If no known key fits, the keys of the provider are read again, once: it may have published a new one. The token comes
 * from the provider itself, so that a stranger cannot cause such requests.
 * @throws Error for a token that no key of the provider has signed
 */
export async function verifySignature(idToken: string, keys: RemoteKeys): Promise<void> {
  try {
    await compactVerify(idToken, keys, { algorithms })
  } catch (error) {
    if (!mayBeOfNewKey(idToken, error)) throw error
    await keys.reload()
    await compactVerify(idToken, keys, { algorithms })
  }
}

function mayBeOfNewKey(idToken: string, error: unknown): boolean {
  if (error instanceof errors.JWKSNoMatchingKey) return true
  const isNamed = decodeProtectedHeader(idToken).kid !== undefined
  return error instanceof errors.JWSSignatureVerificationFailed && !isNamed
}

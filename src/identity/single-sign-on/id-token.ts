/** The signature of an ID token. Its claims are verified by the library that has exchanged the code. */
import { compactVerify, decodeProtectedHeader, errors } from 'jose'
import { algorithms, type RemoteKeys } from './logout-token.ts'

/**
 * A provider may sign with a key that it has published since its keys were read: they are read again then, once. The token
 * comes from the provider itself, so that no stranger causes that.
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

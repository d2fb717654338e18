import { decodeProtectedHeader } from 'jose'

/** The id of the key that signed the access token. */
export function keyIdOf(token: string): string {
  return decodeProtectedHeader(token).kid ?? ''
}

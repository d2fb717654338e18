import { hash } from 'node:crypto'

/** The challenge to a verifier (RFC 7636, section 4.2: S256). */
export function codeChallengeOf(codeVerifier: string): string {
  return hash('sha256', codeVerifier, 'base64url')
}

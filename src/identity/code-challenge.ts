import { hash } from 'node:crypto'

/** @returns the code challenge of PKCE for a code verifier (RFC 7636, section 4.2, method S256) */
export function codeChallengeOf(codeVerifier: string): string {
  return hash('sha256', codeVerifier, 'base64url')
}

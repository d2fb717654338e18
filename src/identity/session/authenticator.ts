/** Authenticates bearer tokens (RFC 6750) of sessions that have not ended. */

import type { Authenticator } from '../../core/authenticator.ts'
import { type Actor, sessionOf } from '../../core/context.ts'
import { unauthorized } from '../../core/errors.ts'
import type { AccessTokens } from './access-token.ts'
import type { RevokedSessions } from './revocation.ts'

const scheme = 'bearer '

export class SessionAuthenticator implements Authenticator {
  readonly #tokens: AccessTokens
  readonly #revoked: RevokedSessions

  constructor(tokens: AccessTokens, revoked: RevokedSessions) {
    this.#tokens = tokens
    this.#revoked = revoked
  }

  authenticate(authorization: string): Actor | Promise<Actor> {
    const token = authorization.slice(scheme.length)
    if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) {
      throw unauthorized(authorization.trim().toLowerCase() === scheme.trim() ? 'malformed' : 'otherScheme')
    }
    if (token === '' || token.includes(' ')) throw unauthorized('malformed')
    return this.#tokens.verify(token)
  }

  refuseEnded(actor: Actor): void {
    const session = sessionOf(actor)
    if (session !== null && this.#revoked.has(session)) throw unauthorized('sessionEnded')
  }
}

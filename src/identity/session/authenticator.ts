/** Authenticates bearer tokens (RFC 6750) of sessions that have not ended. */

import type { Authenticator } from '../../core/authenticator.ts'
import { type Actor, sessionOf } from '../../core/context.ts'
import { unauthorized } from '../../core/errors.ts'
import type { RoleDirectory } from '../role/directory.ts'
import type { AccessTokens } from './access-token.ts'
import type { RevokedSessions } from './revocation.ts'

const scheme = 'bearer '

export class SessionAuthenticator implements Authenticator {
  readonly #tokens: AccessTokens
  readonly #revoked: RevokedSessions
  readonly #roles: RoleDirectory

  constructor(tokens: AccessTokens, revoked: RevokedSessions, roles: RoleDirectory) {
    this.#tokens = tokens
    this.#revoked = revoked
    this.#roles = roles
  }

  authenticate(authorization: string): Actor | Promise<Actor> {
    const token = authorization.slice(scheme.length)
    if (authorization.slice(0, scheme.length).toLowerCase() !== scheme) {
      throw unauthorized(authorization.trim().toLowerCase() === scheme.trim() ? 'malformed' : 'otherScheme')
    }
    if (token === '' || token.includes(' ')) throw unauthorized('malformed')
    const actor = this.#tokens.verify(token)
    return actor instanceof Promise ? actor.then((known) => this.#withRoles(known)) : this.#withRoles(actor)
  }

  #withRoles(actor: Actor): Actor | Promise<Actor> {
    return this.#roles.load(actor.tenantId, actor.roles)?.then(() => actor) ?? actor
  }

  refuseEnded(actor: Actor): void {
    const session = sessionOf(actor)
    if (session !== null && this.#revoked.has(session)) throw unauthorized('sessionEnded')
  }
}

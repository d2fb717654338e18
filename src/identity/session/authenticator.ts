/** Authenticates access tokens of sessions that have not ended. */
import { type Actor, sessionOf } from '../../core/context.ts'
import { unauthorized } from '../../core/errors.ts'
import type { RoleDirectory } from '../role/directory.ts'
import type { AccessTokens } from './access-token.ts'
import type { RevokedSessions } from './revocation.ts'

export class SessionAuthenticator {
  readonly #tokens: AccessTokens
  readonly #revoked: RevokedSessions
  readonly #roles: RoleDirectory

  constructor(tokens: AccessTokens, revoked: RevokedSessions, roles: RoleDirectory) {
    this.#tokens = tokens
    this.#revoked = revoked
    this.#roles = roles
  }

  /** Returns without waiting for a cached token. @throws ServiceError `unauthorized` */
  authenticate(token: string): Actor | Promise<Actor> {
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

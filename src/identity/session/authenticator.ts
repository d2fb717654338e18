/** Authenticates access tokens of sessions that have not ended. */
import { sessionOf } from '../../core/actor.ts'
import type { Actor } from '../../core/context.ts'
import { unauthorized } from '../../core/errors.ts'
import type { RoleDirectory } from '../role/directory.ts'
import type { UserDirectory } from '../user/directory.ts'
import type { AccessTokens } from './access-token.ts'
import type { RevokedSessions } from './revocation.ts'

interface Directories {
  roles: RoleDirectory
  known: UserDirectory
}

export class SessionAuthenticator {
  readonly #tokens: AccessTokens
  readonly #revoked: RevokedSessions
  readonly #roles: RoleDirectory
  readonly #known: UserDirectory

  constructor(tokens: AccessTokens, revoked: RevokedSessions, { roles, known }: Directories) {
    this.#tokens = tokens
    this.#revoked = revoked
    this.#roles = roles
    this.#known = known
  }

  /** Returns without waiting for a cached token. @throws ServiceError `unauthorized` */
  authenticate(token: string): Actor | Promise<Actor> {
    const actor = this.#tokens.verify(token)
    return actor instanceof Promise ? actor.then((known) => this.#withRights(known)) : this.#withRights(actor)
  }

  /** Loads what the roles grant and the attributes of the user, unless they are cached. */
  #withRights(actor: Actor): Actor | Promise<Actor> {
    const roles = this.#roles.load(actor.tenantId, actor.roles)
    const attributes = this.#known.loadAttributes(actor.tenantId, actor.id)
    return roles === null && attributes === null ? actor : Promise.all([roles, attributes]).then(() => actor)
  }

  /** @throws ServiceError `unauthorized` for a session that was ended before its access token expires */
  refuseEnded(actor: Actor): void {
    const session = sessionOf(actor)
    if (session !== null && this.#revoked.has(session)) throw unauthorized('sessionEnded')
  }
}

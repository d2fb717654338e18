import type { Actor } from './context.ts'

/** Maps a credential to an actor. It alone knows the kinds of credentials. */
export interface Authenticator {
  /**
   * Returns without waiting for a cached credential, which is the usual case.
   * @param authorization the header
   * @throws ServiceError `unauthorized`
   */
  authenticate(authorization: string): Actor | Promise<Actor>
  /** @throws ServiceError `unauthorized` when the actor's credential was ended before it expired */
  refuseEnded(actor: Actor): void
}

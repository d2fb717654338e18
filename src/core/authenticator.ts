import type { Actor } from './context.ts'

/** Knows whose a credential is. Which kinds of credentials there are is its own matter. */
export interface Authenticator {
  /**
   * Without waiting for a credential that is remembered, which is nearly always.
   * @param authorization the header
   * @throws ServiceError `unauthorized`
   */
  authenticate(authorization: string): Actor | Promise<Actor>
  /** @throws ServiceError `unauthorized` when the credential of the actor has ended, though it has not expired */
  refuseEnded(actor: Actor): void
}

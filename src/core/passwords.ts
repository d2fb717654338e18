import type { Path } from './limits/turn-queue.ts'

/** The interface of password hashing, so that the code of users does not depend on the algorithm. */

export interface Passwords {
  /** @throws ServiceError `overloaded` */
  hash(password: string, origin: HashOrigin): Promise<string>
  /** @returns a hash that no password matches, without computing one: for a user without a password */
  unusable(): string
  /** Hashes when no request waits for a hash, and not at all under overload. */
  hashWhenIdle(password: string, use: (hash: string) => Promise<void>): void
  /** Whether the cost of a stored hash, which may come from elsewhere, is within the bounds. */
  accepts(stored: string): boolean
  /**
   * @param stored `null` for a user that does not exist: takes the same time and fails, as does a hash that is not
   *   accepted
   * @returns `null` for a wrong password
   * @throws ServiceError `overloaded`
   */
  verify(password: string, stored: string | null, origin: HashOrigin): Promise<PasswordMatch | null>
  /** Whether the parameters of the hash differ from the present ones. */
  needsRehash(stored: string): boolean
}

/** `former`: an earlier version has made the hash in another way, in which verifying it costs two hashes. */
export type PasswordMatch = 'current' | 'former'

/** Passwords that are known to have been stolen somewhere. */
export interface BreachedPasswords {
  /** Asks another server, if there is one: not inside a transaction. @returns false if it does not answer */
  includes(password: string): Promise<boolean>
}

/** The caller for whom a password is hashed. */
export interface HashOrigin {
  /** The flows of the fair queue in which the hash waits, such as that of the client's network. */
  paths: readonly Path[]
  /** Aborted when the client has disconnected. */
  signal: AbortSignal | null
}

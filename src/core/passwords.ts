/** What is done with passwords; the verbs of users call it, and know nothing of how a hash is made. */
export interface Passwords {
  /** @throws ServiceError `overloaded` */
  hash(password: string, origin: HashOrigin): Promise<string>
  /** Hashes when nobody waits for a hash, and not at all when too much is to be hashed. */
  hashWhenIdle(password: string, use: (hash: string) => Promise<void>): void
  /** Whether a stored hash, made elsewhere perhaps, is one that takes no more than it may. */
  accepts(stored: string): boolean
  /**
   * @param stored `null`, for a user that does not exist, takes the same time and fails, and so does one that is not
   *   accepted
   * @throws ServiceError `overloaded`
   */
  verify(password: string, stored: string | null, origin: HashOrigin): Promise<boolean>
  /** Whether the hash was made with weaker or other parameters than today's. */
  needsRehash(stored: string): boolean
}

/** On whose behalf a password is hashed. */
export interface HashOrigin {
  /** Whose turn it is: how well the caller is known, the tenant, the caller. */
  path: readonly string[]
  /** Aborted when nobody waits for the hash any more. */
  signal: AbortSignal | null
}

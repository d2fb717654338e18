import type { Database } from '../../database/executor.ts'

/** Expires leases from before the start of this process, in databases that nobody else serves: their holder is gone. */
export class StaleLeases {
  /** Several workers may serve one database. All of them wait for one expiry. */
  readonly #expired = new WeakMap<Database, Promise<void>>()
  readonly #expireAll: (database: Database) => Promise<void>

  /** @param expireAll expires every lease in the database */
  constructor(expireAll: (database: Database) => Promise<void>) {
    this.#expireAll = expireAll
  }

  /**
   * Expires the leases once for each database. Nothing may be claimed there before it returns, because every lease
   * counts as stale.
   * @throws DatabaseUnavailable, after which it can be called again
   */
  expire(database: Database): Promise<void> {
    let expired = this.#expired.get(database)
    if (expired === undefined) {
      expired = this.#expireAll(database)
      this.#expired.set(database, expired)
      expired.catch(() => this.#expired.delete(database))
    }
    return expired
  }
}

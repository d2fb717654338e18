/** Leases from before the start, in a database that only this process serves: whoever held them is gone. */
import { QueueData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { endLeases, type Place, placesFrom } from './sql.ts'

/** Looked at in one statement, and ended in one transaction at most. */
const atOnce = 1000

export class StaleLeases {
  /** Several workers may serve one database: all of them wait for the same work. */
  readonly #ended = new WeakMap<Database, Promise<void>>()
  readonly #clock: () => Date

  constructor(clock: () => Date) {
    this.#clock = clock
  }

  /**
   * Ends them, once for each database. Nothing may be claimed there before it returns: it takes every lease for void.
   * @throws DatabaseUnavailable after which it can be asked for again
   */
  end(database: Database): Promise<void> {
    let ended = this.#ended.get(database)
    if (ended === undefined) {
      ended = this.#endAll(database)
      this.#ended.set(database, ended)
      ended.catch(() => this.#ended.delete(database))
    }
    return ended
  }

  async #endAll(database: Database): Promise<void> {
    const queue = new QueueData(database.executor)
    for (let after: Place | null = null; ; ) {
      const places: Place[] = await placesFrom(queue, after, atOnce)
      const leased = places.filter(({ lease }) => lease !== null)
      const now = this.#clock().toISOString()
      if (leased.length > 0) {
        await database.transaction((transaction) => endLeases(new QueueData(transaction), leased, now))
      }
      after = places.at(-1) ?? null
      if (after === null || places.length < atOnce) return
    }
  }
}

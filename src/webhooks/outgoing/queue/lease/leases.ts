/** Leases of deliveries: given back, expired after a restart, and asked for by those who wait for them. */
import { QueueData, type TenantData } from '../../../../database/data.ts'
import type { Database } from '../../../../database/executor.ts'
import type { DueDelivery } from '../sql.ts'
import { clearLeases, expireLeases, hasLease, type LeasePosition, leasesFrom } from './sql.ts'

/** Undoes a claim: the deliveries are due again as they were. */
export function returnLeases(
  database: Database,
  lease: string,
  deliveries: readonly DueDelivery[],
): Promise<void> {
  return database.transaction((transaction) => clearLeases(new QueueData(transaction), lease, deliveries))
}

/** Whether a delivery of the tenant is being sent: it has a lease that has not ended. */
export function isBeingSent(data: TenantData, now: string): Promise<boolean> {
  return hasLease(data, now)
}

/** Read in one statement, and expired in one transaction at most. */
const maxAtOnce = 1000

/** Expires leases from before the start, in a database that only this process serves: their holder is gone. */
export class StaleLeases {
  /** Several workers may serve one database: all of them wait for the same work. */
  readonly #expired = new WeakMap<Database, Promise<void>>()
  readonly #clock: () => Date

  constructor(clock: () => Date) {
    this.#clock = clock
  }

  /**
   * Expires them once for each database. Nothing may be claimed there before it returns: it takes every lease for
   * stale.
   * @throws DatabaseUnavailable after which it can be called again
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

  async #expireAll(database: Database): Promise<void> {
    const queue = new QueueData(database.executor)
    for (let after: LeasePosition | null = null; ; ) {
      const waiting: LeasePosition[] = await leasesFrom(queue, after, maxAtOnce)
      const leased = waiting.filter(({ lease }) => lease !== null)
      const now = this.#clock().toISOString()
      if (leased.length > 0) {
        await database.transaction((transaction) => expireLeases(new QueueData(transaction), leased, now))
      }
      after = waiting.at(-1) ?? null
      if (after === null || waiting.length < maxAtOnce) return
    }
  }
}

/** Leases of deliveries: returned by a stop, expired after a restart, and awaited by operations on tenants. */
import { QueueData, type TenantData } from '../../../../database/data.ts'
import type { Database } from '../../../../database/executor.ts'
import type { DueDelivery } from '../sql.ts'
import { clearLeases, expireLeases, hasLease, type LeasePosition, leasesFrom } from './sql.ts'

/** Undoes a claim: the deliveries are due as before. */
export function returnLeases(
  database: Database,
  lease: string,
  deliveries: readonly DueDelivery[],
): Promise<void> {
  return database.transaction((transaction) => clearLeases(new QueueData(transaction), lease, deliveries))
}

/** Whether a delivery of the tenant has a lease that has not ended. */
export function isBeingSent(data: TenantData, now: string): Promise<boolean> {
  return hasLease(data, now)
}

/** Per statement and per transaction. */
const maxAtOnce = 1000

/** Expires leases from before the start, in a database that only this process serves. Their holder no longer exists. */
export class StaleLeases {
  /** Several workers may serve one database. All of them wait for one expiry. */
  readonly #expired = new WeakMap<Database, Promise<void>>()
  readonly #clock: () => Date

  constructor(clock: () => Date) {
    this.#clock = clock
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

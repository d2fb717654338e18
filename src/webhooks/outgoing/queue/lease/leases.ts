/** Leases of deliveries: returned by a stop, expired after a restart, and awaited by operations on tenants. */
import { QueueData, type TenantData } from '../../../../database/data.ts'
import type { Database } from '../../../../database/executor.ts'
import type { DueDelivery } from '../sql.ts'
import { clearLease, expireLeases, hasLease, type LeasePosition, leasesFrom } from './sql.ts'

/** Undoes a claim: the delivery is due at the same time as before it. */
export function returnLease(database: Database, lease: string, delivery: DueDelivery): Promise<void> {
  return database.transaction((transaction) => clearLease(new QueueData(transaction), lease, delivery))
}

/** Whether a delivery of the tenant has a lease that has not ended. */
export function isBeingSent(data: TenantData, now: string): Promise<boolean> {
  return hasLease(data, now)
}

/** The most leases in one statement, and in one transaction. */
const maxAtOnce = 1000

/** Makes all leased deliveries of the database due now. */
export async function expireAllLeases(database: Database, clock: () => Date): Promise<void> {
  const queue = new QueueData(database.executor)
  for (let after: LeasePosition | null = null; ; ) {
    const waiting: LeasePosition[] = await leasesFrom(queue, after, maxAtOnce)
    const leased = waiting.filter(({ lease }) => lease !== null)
    const now = clock().toISOString()
    if (leased.length > 0) {
      await database.transaction((transaction) => expireLeases(new QueueData(transaction), leased, now))
    }
    after = waiting.at(-1) ?? null
    if (after === null || waiting.length < maxAtOnce) return
  }
}

/**
 * The deliveries of all databases, as the work of queues: how a queue finds due deliveries, claims them
 * under a lease, attempts them and records the results. A claim also dispatches events, which means
 * that it creates their deliveries.
 */
import type { Shared } from '../../core/context.ts'
import { Counter } from '../../core/metric.ts'
import type { AddressGuard } from '../../core/outgoing/address-guard.ts'
import { withOwnerRights } from '../../core/owner.ts'
import type { Claim, Claimed, LeasedWork, NextDue, RunningAttempt } from '../../core/queue/leased-work.ts'
import type { RelayRequests } from '../../core/queue/queue.ts'
import type { ServedTenants } from '../../core/queue/served-tenants.ts'
import { QueueData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import { tenantsToDispatch } from './outbox/dispatch.ts'
import { type ClaimedDelivery, claimDeliveries } from './queue/claim.ts'
import { expireAllLeases, returnLease } from './queue/lease/leases.ts'
import { DeliveryLimiter, type DeliveryLimits } from './queue/limiter.ts'
import { scanKeys } from './queue/sql.ts'
import { deactivateLost, LostOwners } from './queue/subscription/lost-owner.ts'
import { recordResults } from './result/record.ts'
import type { DeliveryResult } from './result/state.ts'
import { attemptDelivery } from './send/attempt.ts'
import type { HttpAttempt } from './send/http-attempt.ts'

export interface DeliveriesOptions {
  shared: Shared
  tenants: ServedTenants
  guard: AddressGuard
  /** Seconds between attempts, for subscriptions without their own schedule. */
  retrySeconds: readonly number[]
  /** The deadline of one HTTP attempt. */
  deadlineMs: number
  limits: DeliveryLimits
}

/** A lease is longer than any HTTP attempt, with time to record the result. */
const leasesPerDeadline = 2

export class Deliveries implements LeasedWork<ClaimedDelivery, HttpAttempt> {
  readonly name = 'deliveries'
  readonly leaseMs: number
  readonly limiter: DeliveryLimiter
  readonly attempts = new Counter(['outcome', 'error'])
  readonly #options: DeliveriesOptions

  constructor(options: DeliveriesOptions) {
    this.#options = options
    this.limiter = new DeliveryLimiter(options.limits)
    this.leaseMs = options.deadlineMs * leasesPerDeadline
  }

  scan(database: Database): Promise<ReadonlyMap<string, number>> {
    return scanKeys(new QueueData(database.executor))
  }

  expireLeases(database: Database): Promise<void> {
    return expireAllLeases(database, this.#options.shared.clock)
  }

  /** The tenants whose rows are in this database. Events of the others are copied to their own databases. */
  tenantsToDispatch(database: Database, relays: RelayRequests): Promise<string[]> {
    const { shared, tenants } = this.#options
    return tenantsToDispatch(new QueueData(database.executor), async (page) => {
      const local: string[] = []
      for (const id of page) {
        const tenant = await tenants.find(id)
        if (await tenants.areRowsIn(database, id)) local.push(id)
        else if (database === shared.catalogueDatabase && tenant?.hasOwnDatabase === true)
          relays.relay(tenant)
      }
      return local
    })
  }

  async claim(database: Database, claim: Claim): Promise<Claimed<ClaimedDelivery>> {
    const { shared, tenants } = this.#options
    const { eventTypes, permissions, rowRules } = shared
    const active = await tenants.activeOf(claim.tenantIds)
    const inactive = new Set(claim.tenantIds.filter((id) => !active.has(id)))
    const { claimed, lostOwners } = await withOwnerRights(shared, async (rights) => {
      const access = { eventTypes, permissions, rowRules, rights }
      const lost = new LostOwners(access)
      const options = { ...claim, inactive, limiter: this.limiter, access, lost }
      return { claimed: await claimDeliveries(database, options), lostOwners: lost }
    })
    await deactivateLost(shared, database, lostOwners)
    return claimed
  }

  async attempt(delivery: ClaimedDelivery, attempt: RunningAttempt): Promise<HttpAttempt | null> {
    const result = await attemptDelivery(delivery, this.#options, attempt)
    const { outcome, errorClass } = result
    if (errorClass === 'aborted') {
      // The instance stops: the delivery is due again, as if it had not been claimed.
      await returnLease(attempt.database, attempt.lease, delivery)
      return null
    }
    this.attempts.count({ outcome, error: errorClass ?? 'none' })
    this.limiter.adapt(delivery, outcome === 'success')
    return result
  }

  record(database: Database, results: readonly DeliveryResult[]): Promise<NextDue[]> {
    const { shared, retrySeconds } = this.#options
    return recordResults(shared, database, results, retrySeconds)
  }

  describe({ id }: ClaimedDelivery): object {
    return { delivery: id }
  }

  release({ key, bytes }: ClaimedDelivery): void {
    this.limiter.releaseBytes(key, bytes)
  }

  close(): void {
    this.#options.guard.close()
  }
}

/** The deliveries of all databases: the limits and the network that their queues share. */
import type { Shared } from '../../core/context.ts'
import { Counter } from '../../core/metric.ts'
import type { AddressGuard } from '../../core/outgoing/address-guard.ts'
import type { Queue, QueueKind, RelayRequests } from '../../core/queue/queue.ts'
import type { ServedTenants } from '../../core/queue/served-tenants.ts'
import { StaleLeases } from '../../core/queue/stale-leases.ts'
import { type DeliveryParts, DeliveryQueue } from './deliver.ts'
import { expireAllLeases } from './queue/lease/leases.ts'
import { DeliveryLimiter, type DeliveryLimits } from './queue/limiter.ts'

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

export class Deliveries implements QueueKind {
  readonly name = 'deliveries'
  readonly limiter: DeliveryLimiter
  readonly attempts = new Counter(['outcome', 'error'])
  readonly leaseMs: number
  readonly #parts: DeliveryParts
  readonly #guard: AddressGuard
  readonly #abort = new AbortController()

  constructor(options: DeliveriesOptions) {
    const { shared, tenants, guard, retrySeconds, deadlineMs, limits } = options
    const { signal } = this.#abort
    const staleLeases = new StaleLeases((database) => expireAllLeases(database, shared.clock))
    this.#guard = guard
    this.limiter = new DeliveryLimiter(limits)
    this.leaseMs = deadlineMs * leasesPerDeadline
    this.#parts = {
      ...{ shared, tenants, retrySeconds, limiter: this.limiter, attempts: this.attempts },
      leaseMs: this.leaseMs,
      sender: { guard, secretBox: shared.secretBox, clock: shared.clock, deadlineMs, signal },
      staleLeases: shared.catalogueDatabase.dialect === 'sqlite' ? staleLeases : null,
    }
  }

  createQueue(relays: RelayRequests): Queue {
    return new DeliveryQueue(this.#parts, relays)
  }

  abort(): void {
    this.#abort.abort()
  }

  close(): void {
    this.#guard.close()
  }
}

/** The deliveries of all databases: their limits, the network, and the queue of each. */
import type { Shared } from '../../core/context.ts'
import { Counter } from '../../core/metric.ts'
import type { Queue, QueueKind, RelayRequests } from '../../core/queue/queue.ts'
import type { ServedTenants } from '../../core/queue/served-tenants.ts'
import { type DeliveryParts, DeliveryQueue } from './deliver.ts'
import { StaleLeases } from './queue/lease/leases.ts'
import { DeliveryLimiter, type DeliveryLimits } from './queue/limiter.ts'
import type { AddressGuard } from './send/address-guard.ts'

export interface DeliveriesOptions {
  shared: Shared
  tenants: ServedTenants
  guard: AddressGuard
  /** Seconds from each failed attempt to the next, where the subscription has no schedule of its own. */
  retrySeconds: readonly number[]
  /** Of one HTTP attempt. */
  deadlineMs: number
  limits: DeliveryLimits
}

/** A lease outlasts every HTTP attempt, with time to record it. */
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
    this.#guard = guard
    this.limiter = new DeliveryLimiter(limits)
    this.leaseMs = deadlineMs * leasesPerDeadline
    this.#parts = {
      ...{ shared, tenants, retrySeconds, limiter: this.limiter, attempts: this.attempts },
      leaseMs: this.leaseMs,
      sender: { guard, secretBox: shared.secretBox, clock: shared.clock, deadlineMs, signal },
      staleLeases: shared.catalogueDatabase.dialect === 'sqlite' ? new StaleLeases(shared.clock) : null,
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

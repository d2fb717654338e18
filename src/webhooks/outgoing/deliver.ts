/** The delivery queue of one database: a pass dispatches events, and claims, sends and records due deliveries. */

import type { Shared } from '../../core/context.ts'
import { TurnScheduler } from '../../core/limits/turn-scheduler.ts'
import type { Counter } from '../../core/metric.ts'
import { withOwnerRights } from '../../core/owner.ts'
import { DueIndex } from '../../core/queue/due-index.ts'
import { nothingDue, type Pass, type Queue, type RelayRequests } from '../../core/queue/queue.ts'
import type { ServedTenants } from '../../core/queue/served-tenants.ts'
import type { StaleLeases } from '../../core/queue/stale-leases.ts'
import { QueueData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import { tenantsPerPass, tenantsToDispatch } from './outbox/dispatch.ts'
import { type ClaimedBatch, claimBatch } from './queue/claim.ts'
import { parseQueueKey, subscriptionKey } from './queue/key.ts'
import { returnLeases } from './queue/lease/leases.ts'
import type { DeliveryLimiter } from './queue/limiter.ts'
import { type DueDelivery, walkKeys } from './queue/sql.ts'
import { createRecorder } from './result/record.ts'
import { attemptDelivery, type Sender } from './send/attempt.ts'

/** What the delivery queues of all databases share. */
export interface DeliveryParts {
  shared: Shared
  tenants: ServedTenants
  limiter: DeliveryLimiter
  sender: Sender
  retrySeconds: readonly number[]
  leaseMs: number
  attempts: Counter<'outcome' | 'error'>
  /** `null` on PostgreSQL, where leases may belong to other instances. */
  staleLeases: StaleLeases | null
}

/** Many deliveries are claimed at once, and starting each of them takes part of a millisecond. */
const attemptTurns = new TurnScheduler()

export class DeliveryQueue implements Queue {
  readonly dueIndex = new DueIndex()
  readonly #parts: DeliveryParts
  readonly #relays: RelayRequests
  #recorder: ReturnType<typeof createRecorder> | null = null

  constructor(parts: DeliveryParts, relays: RelayRequests) {
    this.#parts = parts
    this.#relays = relays
  }

  async walk(database: Database): Promise<ReadonlyMap<string, number>> {
    await this.#parts.staleLeases?.expire(database)
    return walkKeys(new QueueData(database.executor))
  }

  canResume(): boolean {
    const { shared } = this.#parts
    return this.dueIndex.firstDue(shared.clock().getTime(), (key) => this.#isPermitted(key)) !== null
  }

  async pass(database: Database): Promise<Pass> {
    const { shared, tenants, limiter, leaseMs, staleLeases } = this.#parts
    await staleLeases?.expire(database)
    const now = shared.clock()
    const tenantIds = await this.#tenantsToDispatch(database)
    const due = await this.#dueKeys(database, now)
    const keys = due.filter((key) => this.#isPermitted(key))
    if (tenantIds.length === 0 && keys.length === 0) return { ...nothingDue, isHeldBack: due.length > 0 }
    const inactive = await tenants.inactiveOf(tenantIds)
    const { eventTypes, permissions } = shared
    const batch = await withOwnerRights(shared, (rights) =>
      claimBatch(database, {
        ...{ tenantIds, inactive, keys, limiter, now, leaseMs },
        access: { eventTypes, permissions, rights },
      }),
    )
    for (const [key, dueMs] of batch.nextDue) this.dueIndex.replace(key, dueMs)
    const begun = batch.deliveries.map((delivery) => this.#deliver(database, delivery, batch))
    const left = this.dueIndex.due(now.getTime())
    const isMore =
      tenantIds.length >= tenantsPerPass || batch.isMore || left.some((key) => this.#isPermitted(key))
    return { begun, hasWritten: true, isMore, isHeldBack: left.length > 0 }
  }

  /** The tenants whose rows are in this database. Events of the others are copied to their own databases. */
  #tenantsToDispatch(database: Database): Promise<string[]> {
    const { shared, tenants } = this.#parts
    return tenantsToDispatch(new QueueData(database.executor), async (page) => {
      const local: string[] = []
      for (const id of page) {
        const tenant = await tenants.find(id)
        if (await tenants.areRowsIn(database, id)) local.push(id)
        else if (database === shared.catalogueDatabase && tenant?.hasOwnDatabase === true)
          this.#relays.relay(tenant)
      }
      return local
    })
  }

  /** Removes keys of inactive tenants, and of tenants that are served elsewhere, until the next walk. */
  async #dueKeys(database: Database, now: Date): Promise<string[]> {
    const keys = this.dueIndex.due(now.getTime())
    const served = await this.#parts.tenants.servedOf(
      database,
      keys.map((key) => parseQueueKey(key).tenantId),
    )
    return keys.filter((key) => {
      const isServed = served.has(parseQueueKey(key).tenantId)
      if (!isServed) this.dueIndex.replace(key, null)
      return isServed
    })
  }

  #isPermitted(key: string): boolean {
    return this.#parts.limiter.available(parseQueueKey(key)) > 0
  }

  async #deliver(database: Database, delivery: DueDelivery, batch: ClaimedBatch): Promise<void> {
    const { limiter, shared } = this.#parts
    const key = parseQueueKey(delivery.key)
    await attemptTurns.take([key.tenantId])
    try {
      await this.#attempt(database, delivery, batch)
    } catch (error) {
      // The delivery is attempted again when its lease ends.
      shared.log.error({ err: error, delivery: delivery.id }, 'delivery not attempted')
    }
    limiter.release(key, 1)
    limiter.releaseBytes(key, delivery.bytes)
  }

  async #attempt(
    database: Database,
    delivery: DueDelivery,
    { lease, subscriptions }: ClaimedBatch,
  ): Promise<void> {
    const { attempts, limiter, retrySeconds, sender } = this.#parts
    const target = subscriptions.get(subscriptionKey(delivery.tenantId, delivery.subscriptionId))
    if (target === undefined) throw new Error('A delivery was claimed without its subscription.')
    const { attempt, ownSchedule, startedAt, endedAt } = await attemptDelivery(delivery, target, sender)
    const { outcome, errorClass } = attempt
    if (errorClass === 'aborted') return returnLeases(database, lease, [delivery])
    attempts.count({ outcome, error: errorClass ?? 'none' })
    limiter.adapt(delivery, outcome === 'success')
    const schedule = ownSchedule ?? retrySeconds
    const result = { delivery, lease, attempt, schedule, startedAt, endedAt }
    const state = await this.#recorderOf(database).record(result)
    if (state?.queue && state.nextAt) this.dueIndex.note(state.queue, Date.parse(state.nextAt))
  }

  /** A new one if the tenant's own database was closed and opened again. */
  #recorderOf(database: Database): ReturnType<typeof createRecorder> {
    const { shared, sender } = this.#parts
    if (this.#recorder?.database !== database)
      this.#recorder = createRecorder(shared, database, sender.signal)
    return this.#recorder
  }
}

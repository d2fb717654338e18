/**
 * The queues in tenants' own databases, with a worker for each database that may have pending work. The databases of
 * pending tenants are visited at intervals, a few at a time. A database that does not respond delays no other one.
 */

import type { Shared, Tenant } from '../context.ts'
import { KeyedSemaphore } from '../limits/keyed-semaphore.ts'
import { retryLogLevel } from '../tenant/unavailable-database.ts'
import type { PendingTenants } from './pending-tenants.ts'
import type { ServedTenants } from './served-tenants.ts'
import type { QueueWorker } from './worker.ts'

/** Copies events about a tenant, such as `user.created`, from the catalogue to the tenant's own database. */
export interface Relay {
  /** Copies a batch. @returns whether there may be more @throws the errors of opening the database */
  copyEvents(tenant: Tenant): Promise<boolean>
}

export interface OwnDatabaseOptions {
  shared: Shared
  tenants: ServedTenants
  pendingTenants: PendingTenants
  relay: Relay
  createWorker(tenantId: string): QueueWorker
}

const minRelayBackoffMs = 1000
const maxRelayBackoffMs = 60_000
/** A database whose work is due only after this time is not visited before. */
const minSleepMs = 60_000

export class OwnDatabaseWorkers {
  readonly #options: OwnDatabaseOptions
  readonly #workers = new Map<string, QueueWorker>()
  readonly #sweep: TenantSweep
  /** Tenants with undispatched events in the catalogue. */
  readonly #toRelay = new Set<string>()
  /** Tenants whose database could not be reached, and when the relay is retried. */
  readonly #relayBackoffs = new Map<string, { untilMs: number; ms: number }>()
  #isStopped = false

  constructor(options: OwnDatabaseOptions) {
    this.#options = options
    const { pendingTenants, shared } = options
    this.#sweep = new TenantSweep(
      () => pendingTenants.toVisit(),
      (tenantId) => this.#visit(tenantId),
      (error) => shared.log[retryLogLevel(error)]({ err: error }, 'tenant databases not visited'),
    )
  }

  /** Visits the pending tenants. @returns when each visit has ended or has lost its permit */
  sweep(): Promise<void> {
    return this.#sweep.run()
  }

  visit(tenantId: string): void {
    void this.#sweep.visit(tenantId)
  }

  /** Wakes the worker after a commit to the tenant's own database. @param scan over all keys */
  wake(tenantId: string, scan = false): void {
    this.#options.pendingTenants.markBusy(tenantId)
    this.workerOf(tenantId).wake(scan)
  }

  /** Relays events of the tenant from the catalogue. Ignored while the tenant is paused or a failure is recent. */
  relay(tenant: Tenant): void {
    const { id } = tenant
    const backoff = this.#relayBackoffs.get(id)
    const isBackingOff = backoff !== undefined && backoff.untilMs > performance.now()
    if (this.#isStopped || isBackingOff || this.#options.tenants.isPaused(tenant)) return
    this.#toRelay.add(id)
    void this.#sweep.visit(id, backoff !== undefined)
  }

  workers(): readonly QueueWorker[] {
    return [...this.#workers.values()]
  }

  workerOf(tenantId: string): QueueWorker {
    let worker = this.#workers.get(tenantId)
    if (worker === undefined) {
      worker = this.#options.createWorker(tenantId)
      this.#workers.set(tenantId, worker)
    }
    return worker
  }

  /** Waits for all visits, including slow ones. */
  settled(): Promise<void> {
    return this.#sweep.settled()
  }

  /** Begins no more visits, and waits for those in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#sweep.stop()
    await this.settled()
  }

  /** Work of inactive tenants, and of tenants that are being moved, is left for a later visit. */
  async #visit(tenantId: string): Promise<void> {
    const { pendingTenants, tenants } = this.#options
    const tenant = await tenants.find(tenantId)
    if (this.#isStopped || tenant === null) return
    if (tenant.hasOwnDatabase && this.#toRelay.delete(tenantId)) await this.#relay(tenant)
    if (this.#isStopped || !tenant.isActive || tenants.isPaused(tenant)) return
    if (!tenant.hasOwnDatabase) return pendingTenants.remove(tenantId)
    const worker = this.workerOf(tenantId)
    worker.wake(true)
    await worker.polled()
    if (!worker.isIdle) return this.#sleep(tenantId, worker)
    await pendingTenants.remove(tenantId)
    if (!worker.isIdle) return
    this.#workers.delete(tenantId)
    pendingTenants.markIdle(tenantId)
  }

  /** Does not visit the database while all its work is due much later. The worker has a timer for it. */
  #sleep(tenantId: string, worker: QueueWorker): void {
    const dueMs = worker.nextDueMs()
    const nowMs = this.#options.shared.clock().getTime()
    if (dueMs !== null && dueMs - nowMs > minSleepMs) this.#options.pendingTenants.markIdle(tenantId, dueMs)
  }

  async #relay(tenant: Tenant): Promise<void> {
    const { relay, shared } = this.#options
    try {
      while (!this.#isStopped && (await relay.copyEvents(tenant)));
      this.#relayBackoffs.delete(tenant.id)
      if (!this.#isStopped) this.wake(tenant.id)
    } catch (error) {
      const failed = this.#relayBackoffs.get(tenant.id)
      const ms = Math.min((failed?.ms ?? minRelayBackoffMs / 2) * 2, maxRelayBackoffMs)
      this.#relayBackoffs.set(tenant.id, { ms, untilMs: performance.now() + ms })
      const level = failed === undefined ? retryLogLevel(error) : 'debug'
      shared.log[level]({ err: error, tenantId: tenant.id }, 'events not copied yet')
    }
  }
}

const maxVisitsAtOnce = 8
/**
 * How long a visit keeps its permit. Opening a file takes less; a database that does not respond delays others this
 * long.
 */
const maxVisitHoldMs = 500

/** Visits databases in rounds, a few at a time. */
export class TenantSweep {
  readonly #list: () => Promise<string[]>
  readonly #visit: (tenantId: string) => Promise<void>
  readonly #failed: (error: unknown) => void
  readonly #semaphore = new KeyedSemaphore(maxVisitsAtOnce, maxVisitHoldMs)
  /** Tenants to visit, or to visit once more after the visit in progress. */
  readonly #requested = new Set<string>()
  #isRoundRequested = false
  #running: Promise<void> | null = null

  /** @param list returns the tenants to visit @param failed receives the errors of the other two */
  constructor(
    list: () => Promise<string[]>,
    visit: (tenantId: string) => Promise<void>,
    failed: (error: unknown) => void,
  ) {
    this.#list = list
    this.#visit = visit
    this.#failed = failed
  }

  /** Runs a round after the present one. @returns when no round is in progress or requested */
  run(): Promise<void> {
    this.#isRoundRequested = true
    this.#running ??= this.#runRounds()
    return this.#running
  }

  /** Visits one tenant, and once more if a visit is in progress. @param isLowPriority after others that wait */
  visit(tenantId: string, isLowPriority = false): Promise<void> {
    this.#requested.add(tenantId)
    return this.#semaphore.run(tenantId, () => this.#visitWhileRequested(tenantId), isLowPriority)
  }

  /** Waits for all visits, including slow ones. */
  settled(): Promise<void> {
    return this.#semaphore.settled()
  }

  /** Begins no more visits. */
  stop(): void {
    this.#isRoundRequested = false
    this.#requested.clear()
    this.#semaphore.clear()
  }

  async #runRounds(): Promise<void> {
    while (this.#isRoundRequested) {
      this.#isRoundRequested = false
      try {
        const tenantIds = await this.#list()
        await Promise.all(tenantIds.map((id) => this.visit(id)))
      } catch (error) {
        this.#failed(error)
      }
    }
    this.#running = null
  }

  async #visitWhileRequested(tenantId: string): Promise<void> {
    while (this.#requested.delete(tenantId)) await this.#visit(tenantId).catch(this.#failed)
  }
}

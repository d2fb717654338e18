/**
 * Tenants with a database of their own: a worker for each database in which something may wait. Databases of pending
 * tenants are visited at intervals, a few at a time, so that those that do not answer delay no others.
 */

import type { Shared, Tenant } from '../context.ts'
import { KeyedSemaphore } from '../limits/keyed-semaphore.ts'
import { levelOf } from '../tenant/unavailable-database.ts'
import type { PendingTenants } from './pending-tenants.ts'
import type { ServedTenants } from './served-tenants.ts'
import type { QueueWorker } from './worker.ts'

/** Brings events of the catalogue into a tenant's own database. */
export interface Relay {
  /** Copies some of them. @returns whether there may be more @throws what opening the database throws */
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

/** A worker for each tenant's own database in which something may wait. */
export class OwnDatabaseWorkers {
  readonly #options: OwnDatabaseOptions
  readonly #workers = new Map<string, QueueWorker>()
  readonly #sweep: TenantSweep
  /** Tenants whose events wait in the catalogue. */
  readonly #toRelay = new Set<string>()
  /** Tenants whose database could not be reached, and when it is tried again. */
  readonly #relayBackoffs = new Map<string, { untilMs: number; ms: number }>()
  #isStopped = false

  constructor(options: OwnDatabaseOptions) {
    this.#options = options
    const { pendingTenants, shared } = options
    this.#sweep = new TenantSweep(
      () => pendingTenants.toVisit(),
      (tenantId) => this.#visit(tenantId),
      (error) => shared.log[levelOf(error)]({ err: error }, 'tenant databases not visited'),
    )
  }

  /** Visits the pending tenants. @returns when the visits are made, or too slow to be waited for */
  sweep(): Promise<void> {
    return this.#sweep.go()
  }

  /** Visits one tenant out of turn. */
  visit(tenantId: string): void {
    void this.#sweep.visit(tenantId)
  }

  /** Something was committed to the tenant's own database. @param walk over all keys */
  wake(tenantId: string, walk = false): void {
    this.#options.pendingTenants.markBusy(tenantId)
    this.workerOf(tenantId).wake(walk)
  }

  /** Events of the tenant wait in the catalogue. Ignored where its rows are there, or while a failure is recent. */
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

  /** Waits for the visits, slow ones too. */
  settled(): Promise<void> {
    return this.#sweep.settled()
  }

  /** Begins no more visits, and waits for those that are being made. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#sweep.stop()
    await this.settled()
  }

  /** Work of inactive tenants waits: a visit finds it when they are active again. */
  async #visit(tenantId: string): Promise<void> {
    const { pendingTenants, tenants } = this.#options
    const tenant = await tenants.find(tenantId)
    if (this.#isStopped || tenant === null) return
    if (tenant.hasOwnDatabase && this.#toRelay.delete(tenantId)) await this.#relay(tenant)
    if (this.#isStopped || !tenant.isActive) return
    if (!tenant.hasOwnDatabase) return pendingTenants.remove(tenantId)
    const worker = this.workerOf(tenantId)
    worker.wake(true)
    await worker.passed()
    if (!worker.isIdle) return
    await pendingTenants.remove(tenantId)
    if (!worker.isIdle) return
    this.#workers.delete(tenantId)
    pendingTenants.markIdle(tenantId)
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
      const level = failed === undefined ? levelOf(error) : 'debug'
      shared.log[level]({ err: error, tenantId: tenant.id }, 'events not copied yet')
    }
  }
}

const maxVisitsAtOnce = 8
/** Longer than opening a file takes. A database that does not answer delays the others for no longer. */
const maxVisitHoldMs = 500

/** Visits databases, a few at a time, one round after the other. */
export class TenantSweep {
  readonly #list: () => Promise<string[]>
  readonly #visit: (tenantId: string) => Promise<void>
  readonly #failed: (error: unknown) => void
  readonly #semaphore = new KeyedSemaphore(maxVisitsAtOnce, maxVisitHoldMs)
  /** A visit is wanted; one more where it is being made. */
  readonly #wanted = new Set<string>()
  #isRoundWanted = false
  #running: Promise<void> | null = null

  /** @param list the tenants to be visited @param failed receives what the other two throw */
  constructor(
    list: () => Promise<string[]>,
    visit: (tenantId: string) => Promise<void>,
    failed: (error: unknown) => void,
  ) {
    this.#list = list
    this.#visit = visit
    this.#failed = failed
  }

  /** Makes a round, after the present one. @returns when no round runs or is wanted */
  go(): Promise<void> {
    this.#isRoundWanted = true
    this.#running ??= this.#run()
    return this.#running
  }

  /** Visits one tenant out of turn, and once more if it is being visited. @param isLast after the others that wait */
  visit(tenantId: string, isLast = false): Promise<void> {
    this.#wanted.add(tenantId)
    return this.#semaphore.run(tenantId, () => this.#visitWhileWanted(tenantId), isLast)
  }

  /** Waits for the visits, slow ones too. */
  settled(): Promise<void> {
    return this.#semaphore.settled()
  }

  /** Begins no more visits. */
  stop(): void {
    this.#isRoundWanted = false
    this.#wanted.clear()
    this.#semaphore.clear()
  }

  async #run(): Promise<void> {
    while (this.#isRoundWanted) {
      this.#isRoundWanted = false
      try {
        const tenantIds = await this.#list()
        await Promise.all(tenantIds.map((id) => this.visit(id)))
      } catch (error) {
        this.#failed(error)
      }
    }
    this.#running = null
  }

  async #visitWhileWanted(tenantId: string): Promise<void> {
    while (this.#wanted.delete(tenantId)) await this.#visit(tenantId).catch(this.#failed)
  }
}

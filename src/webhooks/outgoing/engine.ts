/** Delivers: one worker for the catalogue's database, and one for each tenant's own in which something may wait. */

import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Shared, Tenant } from '../../core/context.ts'
import { Counter } from '../../core/metric.ts'
import { changedTenant } from '../../core/tenant/directory.ts'
import { levelOf } from '../../core/tenant/unavailable-database.ts'
import { type Database, resync } from '../../database/executor.ts'
import { Relay } from './dispatch/relay.ts'
import { StaleLeases } from './lease/stale-leases.ts'
import { inCatalogue, PeerNotifier } from './peer-notifier.ts'
import type { PendingTenants } from './pending-tenants/pending-tenants.ts'
import { TenantSweep } from './pending-tenants/tenant-sweep.ts'
import { type SlotLimits, Slots } from './queue/slots.ts'
import { QueueWorker, type WorkerParts } from './queue-worker.ts'
import type { Guard } from './send.ts'

export interface EngineOptions {
  shared: Shared
  pendingTenants: PendingTenants
  guard: Guard
  retrySeconds: readonly number[]
  deadlineMs: number
  limits: SlotLimits
  /** Exchanges in flight may go on for so long when the service stops. */
  stopWithinMs: number
  tenant(id: string): Tenant | null | Promise<Tenant | null>
  /** Whether something else waits in the database of this tenant, so that its mark has to stay. */
  isAwaited(tenantId: string): Promise<boolean>
}

/** What is left behind by instances that have vanished is found within so long. */
const sweepMs = 1000
/** The same in tenants' own databases; with a shorter lease as often as that, so that its end is known in advance. */
const marksSweepMs = 30_000
/** Longer than any exchange, with time to write it down. */
const leasesPerDeadline = 2
const announceEveryMs = 500

export class Engine {
  readonly slots: Slots
  readonly attempts = new Counter(['outcome', 'error'])
  readonly #options: EngineOptions
  readonly #catalogue: QueueWorker
  readonly #own = new Map<string, QueueWorker>()
  readonly #relay: Relay
  readonly #abort = new AbortController()
  readonly #staleLeases: StaleLeases
  readonly #help: PeerNotifier
  readonly #leaseMs: number
  readonly #sweep: TenantSweep
  #marks: NodeJS.Timeout | null = null
  /** Until those that wait for slots have been told that some are free. */
  #telling: Promise<void> | null = null
  #isRunning = false

  constructor(options: EngineOptions) {
    this.#options = options
    this.slots = new Slots(options.limits)
    this.#relay = new Relay(options.shared, options.pendingTenants)
    this.#leaseMs = options.deadlineMs * leasesPerDeadline
    const { catalogueDatabase: database, log } = options.shared
    this.#sweep = new TenantSweep(
      () => options.pendingTenants.busy(),
      (tenantId) => this.#visit(tenantId),
      (error) => log[levelOf(error)]({ err: error }, 'tenant databases not looked at'),
    )
    this.#staleLeases = new StaleLeases(options.shared.clock)
    this.#help = new PeerNotifier(database, log, announceEveryMs)
    this.#catalogue = new QueueWorker({
      ...this.#parts(inCatalogue),
      sweepMs,
      isAlone: database.dialect === 'sqlite',
      open: () => ({ database, release: () => undefined }),
    })
  }

  start(): void {
    this.#isRunning = true
    this.#catalogue.wake(true)
    this.#marks = setInterval(() => void this.#sweep.go(), Math.min(marksSweepMs, this.#leaseMs)).unref()
    void this.#sweep.go()
  }

  /** An event of this tenant was committed to this database. @param everywhere something that waited may go on */
  wake(tenantId: string, database: Database, everywhere = false): void {
    if (!this.#isRunning) return
    if (database === this.#options.shared.catalogueDatabase) this.#catalogue.wake(everywhere)
    else {
      this.#options.pendingTenants.rouse(tenantId)
      this.#workerOf(tenantId).wake(everywhere)
    }
  }

  /** Another instance has more to send than it may, or a tenant has changed. */
  invalidate(change: string): void {
    if (!this.#isRunning) return
    const place = this.#help.read(change)
    const isOfTenant = changedTenant(change) !== null
    if (place === inCatalogue || change === resync || isOfTenant) this.#catalogue.wake(true)
    else if (place !== null) void this.#sweep.call(place)
    if (isOfTenant) void this.#sweep.go()
  }

  /** Looks everywhere at once, and waits until everything that is due has been sent and recorded. */
  async look(): Promise<void> {
    await this.#sweep.go()
    this.#catalogue.wake(true)
    for (;;) {
      await this.#relay.settled()
      await this.#telling
      const busy = this.workers().filter((worker) => !worker.isQuiet)
      if (busy.length === 0) return
      await Promise.all(busy.map((worker) => worker.settled()))
    }
  }

  workers(): QueueWorker[] {
    return [this.#catalogue, ...this.#own.values()]
  }

  /** Claims nothing more, lets exchanges in flight finish, and gives back the leases of those that take too long. */
  async stop(): Promise<void> {
    this.#isRunning = false
    this.#help.stop()
    this.#sweep.stop()
    if (this.#marks !== null) clearInterval(this.#marks)
    const relayed = this.#relay.stop()
    const stopped = Promise.all(this.workers().map((worker) => worker.stop()))
    const waiting = new AbortController()
    const late = delay(this.#options.stopWithinMs, null, { signal: waiting.signal }).then(
      () => this.#abort.abort(),
      () => undefined, // everything has ended in time
    )
    await stopped
    await Promise.race([relayed, late])
    waiting.abort()
    await late
    this.#options.guard.close()
  }

  #workerOf(tenantId: string): QueueWorker {
    let worker = this.#own.get(tenantId)
    if (worker === undefined) {
      worker = new QueueWorker({
        ...this.#parts(tenantId),
        sweepMs: null,
        isAlone: this.#options.shared.catalogueDatabase.dialect === 'sqlite',
        open: () => this.#open(tenantId),
      })
      this.#own.set(tenantId, worker)
    }
    return worker
  }

  async #open(tenantId: string) {
    const tenant = await this.#options.tenant(tenantId)
    if (tenant === null) throw new Error(`The tenant ${tenantId} is gone.`)
    return this.#options.shared.tenantDatabases.lease(tenant)
  }

  /** Active tenants only: what waits for the others is found when they are active again. */
  async #visit(tenantId: string): Promise<void> {
    const { pendingTenants, isAwaited } = this.#options
    const tenant = await this.#options.tenant(tenantId)
    if (!this.#isRunning || tenant === null || !tenant.isActive) return
    if (!tenant.hasOwnDatabase) return pendingTenants.leave(tenantId)
    const worker = this.#workerOf(tenantId)
    worker.wake(true)
    await worker.looked()
    if (!worker.isIdle || (await isAwaited(tenantId))) return
    await pendingTenants.leave(tenantId)
    if (!worker.isIdle) return
    this.#own.delete(tenantId)
    pendingTenants.rest(tenantId)
  }

  /** @param place for which help is called */
  #parts(place: string): Omit<WorkerParts, 'sweepMs' | 'isAlone' | 'open'> {
    const { shared, guard, retrySeconds, deadlineMs, tenant } = this.#options
    return {
      shared,
      guard,
      retrySeconds,
      deadlineMs,
      tenant,
      slots: this.slots,
      staleLeases: this.#staleLeases,
      leaseMs: this.#leaseMs,
      signal: this.#abort.signal,
      attempts: this.attempts,
      serves: async (database, tenantId) => this.#serves(database, await tenant(tenantId)),
      relay: (database, tenantIds) => this.#relayFrom(database, tenantIds),
      slotsFreed: () => this.#slotsFreed(),
      overloaded: () => this.#help.call(place),
    }
  }

  /** Once for all that come free in one turn of the event loop: looking for who is starved costs more than a slot. */
  #slotsFreed(): void {
    this.#telling ??= nextTurn().then(() => {
      this.#telling = null
      for (const worker of this.workers()) worker.wakeIfStarved()
    })
  }

  /** Waits for no database but the catalogue: the others may be out of reach. */
  async #relayFrom(database: Database, tenantIds: readonly string[]): Promise<string[]> {
    const isCatalogue = database === this.#options.shared.catalogueDatabase
    const here: string[] = []
    for (const id of tenantIds) {
      const tenant = await this.#options.tenant(id)
      if (await this.#serves(database, tenant)) here.push(id)
      else if (isCatalogue && tenant?.hasOwnDatabase === true && !this.#isPaused(tenant))
        this.#relay.start(database, tenant, () => this.#relayed(id))
    }
    return here
  }

  #isPaused({ pausedUntil }: Tenant): boolean {
    return pausedUntil !== null && pausedUntil > this.#options.shared.clock().toISOString()
  }

  /** What a move has left behind, or brings, looks like what waits here; so does what is imported, until it is whole. */
  async #serves(database: Database, tenant: Tenant | null): Promise<boolean> {
    if (tenant === null || this.#isPaused(tenant)) return false
    return this.#options.shared.tenantDatabases.holds(tenant, database)
  }

  #relayed(tenantId: string): void {
    this.#options.pendingTenants.rouse(tenantId)
    this.#workerOf(tenantId).wake()
    this.#catalogue.wake()
  }
}

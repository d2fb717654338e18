/**
 * The workers of all queues of this process: one for the catalogue's database, and one for each tenant's own
 * database that may have pending work.
 */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { type Database, resync } from '../../database/executor.ts'
import type { Shared } from '../context.ts'
import { changedTenant } from '../tenant/directory.ts'
import type { DueKey } from './due-key.ts'
import { OwnDatabaseWorkers, type Relay } from './own-databases.ts'
import { PeerNotifier } from './peer-notifier.ts'
import type { PendingTenants } from './pending-tenants.ts'
import type { QueueKind, WorkerGroup } from './queue.ts'
import { catalogueKey, type ServedTenants } from './served-tenants.ts'
import { QueueWorker } from './worker.ts'

export interface QueueWorkersOptions {
  shared: Shared
  tenants: ServedTenants
  pendingTenants: PendingTenants
  /** The kinds of work, in the order in which a poll serves them. */
  kinds: readonly QueueKind[]
  relay: Relay
  /** How long work in progress may continue after a stop. */
  maxStopMs: number
}

/** The interval of scans in the catalogue's database, which find work that other instances have left. */
const scanEveryMs = 1000
/** The interval of visits to tenants' own databases, unless leases are shorter. */
const sweepEveryMs = 30_000

export class QueueWorkers implements WorkerGroup {
  readonly ownDatabases: OwnDatabaseWorkers
  readonly #options: QueueWorkersOptions
  readonly #catalogue: QueueWorker
  readonly #peers: PeerNotifier
  #sweepTimer: NodeJS.Timeout | null = null
  /** Pending wake-up of workers with held-back work. */
  #resuming: Promise<void> | null = null
  #isRunning = false

  constructor(options: QueueWorkersOptions) {
    this.#options = options
    const { shared, tenants, pendingTenants, relay } = options
    this.#peers = new PeerNotifier(shared.catalogueDatabase, shared.log)
    const createWorker = (tenantId: string) => this.#createWorker(tenantId, null)
    this.ownDatabases = new OwnDatabaseWorkers({ shared, tenants, pendingTenants, relay, createWorker })
    this.#catalogue = this.#createWorker(catalogueKey, scanEveryMs)
  }

  start(): void {
    this.#isRunning = true
    this.#catalogue.wake(true)
    const everyMs = Math.min(sweepEveryMs, ...this.#options.kinds.flatMap(({ leaseMs }) => leaseMs ?? []))
    this.#sweepTimer = setInterval(() => void this.ownDatabases.sweep(), everyMs).unref()
    void this.ownDatabases.sweep()
  }

  /** Wakes the worker of the database after a commit. @param scan whether work that was held back may be due again */
  wake(tenantId: string, database: Database, scan = false): void {
    if (!this.#isRunning) return
    if (database === this.#options.shared.catalogueDatabase) this.#catalogue.wake(scan)
    else this.ownDatabases.wake(tenantId, scan)
  }

  /** Records committed work of the tenant that becomes due at a moment. */
  note(tenantId: string, database: Database, { queue, key, dueMs }: DueKey): void {
    if (!this.#isRunning) return
    const isShared = database === this.#options.shared.catalogueDatabase
    const worker = isShared ? this.#catalogue : this.ownDatabases.workerOf(tenantId)
    worker.queueOf(queue)?.dueIndex.note(key, dueMs)
    this.wake(tenantId, database)
  }

  /** Handles an announcement: another instance has more due work than its limits allow, or a tenant has changed. */
  invalidate(change: string): void {
    if (!this.#isRunning) return
    const databaseKey = this.#peers.read(change)
    const isOfTenant = changedTenant(change) !== null
    if (databaseKey === catalogueKey || change === resync || isOfTenant) this.#catalogue.wake(true)
    else if (databaseKey !== null) this.ownDatabases.visit(databaseKey)
    if (isOfTenant) void this.ownDatabases.sweep()
  }

  /** Scans in all databases now, and waits until all due work is done and recorded. */
  async drain(): Promise<void> {
    await this.ownDatabases.sweep()
    this.#catalogue.wake(true)
    for (;;) {
      await this.ownDatabases.settled()
      await this.#resuming
      const busy = this.workers().filter((worker) => !worker.isQuiet)
      if (busy.length === 0) return
      await Promise.all(busy.map((worker) => worker.settled()))
    }
  }

  workers(): QueueWorker[] {
    return [this.#catalogue, ...this.ownDatabases.workers()]
  }

  /** Wakes workers once for all work that ends in one turn of the event loop. */
  capacityFreed(): void {
    this.#resuming ??= nextTurn().then(() => {
      this.#resuming = null
      for (const worker of this.workers()) worker.wakeIfHeldBack()
    })
  }

  /** Claims nothing more, lets work in progress finish, and aborts it after `maxStopMs`. */
  async stop(): Promise<void> {
    this.#isRunning = false
    this.#peers.stop()
    for (const kind of this.#options.kinds) kind.stop?.()
    if (this.#sweepTimer !== null) clearInterval(this.#sweepTimer)
    const visited = this.ownDatabases.stop()
    const stopped = Promise.all(this.workers().map((worker) => worker.stop()))
    const { kinds, maxStopMs } = this.#options
    const waiting = new AbortController()
    const late = delay(maxStopMs, null, { signal: waiting.signal }).then(
      () => {
        for (const kind of kinds) kind.abort?.()
      },
      () => undefined, // everything has ended in time
    )
    await stopped
    await Promise.race([visited, late])
    waiting.abort()
    await late
    for (const kind of kinds) kind.close?.()
  }

  #createWorker(databaseKey: string, everyMs: number | null): QueueWorker {
    const { shared, tenants, kinds } = this.#options
    const queues = kinds
      .filter(({ isInCatalogue }) => databaseKey === catalogueKey || isInCatalogue !== true)
      .map((kind) => kind.createQueue(this.ownDatabases))
    const peers = this.#peers
    return new QueueWorker({ databaseKey, queues, scanEveryMs: everyMs, shared, tenants, peers, group: this })
  }
}

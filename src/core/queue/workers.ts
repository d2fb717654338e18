/** One worker for the catalogue's database, and one for each tenant's own database in which something may wait. */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { type Database, resync } from '../../database/executor.ts'
import type { DueKey, Shared } from '../context.ts'
import { changedTenant } from '../tenant/directory.ts'
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
  /** What waits in each database, in the order in which a pass serves it. */
  kinds: readonly QueueKind[]
  relay: Relay
  /** Work in progress may go on for so long after a stop. */
  maxStopMs: number
  /** A lease that an instance has left ends within so long, and is then found. */
  leaseMs: number
}

/** In the catalogue's database, what other instances have left is found within so long. */
const walkEveryMs = 1000
/** In tenants' own databases, or within the time of a lease where that is shorter. */
const sweepEveryMs = 30_000

export class QueueWorkers implements WorkerGroup {
  readonly ownDatabases: OwnDatabaseWorkers
  readonly #options: QueueWorkersOptions
  readonly #catalogue: QueueWorker
  readonly #peers: PeerNotifier
  #sweepTimer: NodeJS.Timeout | null = null
  /** Until workers with held-back work have been woken. */
  #resuming: Promise<void> | null = null
  #isRunning = false

  constructor(options: QueueWorkersOptions) {
    this.#options = options
    const { shared, tenants, pendingTenants, relay } = options
    this.#peers = new PeerNotifier(shared.catalogueDatabase, shared.log)
    const createWorker = (tenantId: string) => this.#createWorker(tenantId, null)
    this.ownDatabases = new OwnDatabaseWorkers({ shared, tenants, pendingTenants, relay, createWorker })
    this.#catalogue = this.#createWorker(catalogueKey, walkEveryMs)
  }

  start(): void {
    this.#isRunning = true
    this.#catalogue.wake(true)
    const everyMs = Math.min(sweepEveryMs, this.#options.leaseMs)
    this.#sweepTimer = setInterval(() => void this.ownDatabases.sweep(), everyMs).unref()
    void this.ownDatabases.sweep()
  }

  /** Something of the tenant was committed to this database. @param walk something that waited may go on */
  wake(tenantId: string, database: Database, walk = false): void {
    if (!this.#isRunning) return
    if (database === this.#options.shared.catalogueDatabase) this.#catalogue.wake(walk)
    else this.ownDatabases.wake(tenantId, walk)
  }

  /** Something of the tenant was committed to this database, and is due from a moment on. */
  note(tenantId: string, database: Database, { queue, key, dueMs }: DueKey): void {
    if (!this.#isRunning) return
    const isShared = database === this.#options.shared.catalogueDatabase
    const worker = isShared ? this.#catalogue : this.ownDatabases.workerOf(tenantId)
    const place = this.#options.kinds.findIndex(({ name }) => name === queue)
    worker.queues[place]?.dueIndex.note(key, dueMs)
    this.wake(tenantId, database)
  }

  /** Another instance has more due work than it may have in progress, or a tenant has changed. */
  invalidate(change: string): void {
    if (!this.#isRunning) return
    const databaseKey = this.#peers.read(change)
    const isOfTenant = changedTenant(change) !== null
    if (databaseKey === catalogueKey || change === resync || isOfTenant) this.#catalogue.wake(true)
    else if (databaseKey !== null) this.ownDatabases.visit(databaseKey)
    if (isOfTenant) void this.ownDatabases.sweep()
  }

  /** Walks everywhere at once, and waits until everything that is due is done and recorded. */
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

  /** Once for all work that ends in one turn of the event loop: the search costs more than what is freed. */
  capacityFreed(): void {
    this.#resuming ??= nextTurn().then(() => {
      this.#resuming = null
      for (const worker of this.workers()) worker.wakeIfHeldBack()
    })
  }

  /** Claims nothing more, lets work in progress finish, and aborts what takes too long. */
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
    const queues = kinds.map((kind) => kind.createQueue(this.ownDatabases))
    const peers = this.#peers
    return new QueueWorker({ databaseKey, queues, walkEveryMs: everyMs, shared, tenants, peers, group: this })
  }
}

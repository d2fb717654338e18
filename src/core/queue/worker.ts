/** Serves the queues of one database. It knows when to look for due work, and nothing of what the work is. */

import type { Database } from '../../database/executor.ts'
import type { Lease, Shared } from '../context.ts'
import { ServiceError } from '../errors.ts'
import { Throttle } from '../limits/throttle.ts'
import { levelOf } from '../tenant/unavailable-database.ts'
import type { PeerNotifier } from './peer-notifier.ts'
import type { Queue } from './queue.ts'
import type { ServedTenants } from './served-tenants.ts'

/** The workers of this process. Their queues share limits. */
export interface WorkerGroup {
  /** Work has ended, so that something may be claimed that the limits held back. */
  capacityFreed(): void
}

export interface WorkerOptions {
  /** The tenant whose own database it serves, or `catalogueKey`. */
  databaseKey: string
  queues: readonly Queue[]
  /** How often it walks over the keys for what other instances have left there; `null`: only when asked. */
  walkEveryMs: number | null
  shared: Shared
  tenants: ServedTenants
  peers: PeerNotifier
  group: WorkerGroup
}

/** What is committed in between shares a transaction: dispatching costs the publishers little. */
const passEveryMs = 10
const minBackoffMs = 100
const maxBackoffMs = 5000
/** A walk takes this share of the time at most. */
const maxWalkShare = 0.05
const maxTimerMs = 60 * 60 * 1000

export class QueueWorker {
  readonly queues: readonly Queue[]
  readonly #options: WorkerOptions
  readonly #throttle = new Throttle(passEveryMs)
  readonly #inProgress = new Set<Promise<void>>()
  #lease: Lease | null = null
  #running: Promise<void> | null = null
  #isPassWanted = false
  #isHeldBack = false
  #isStopped = false
  #walkAtMs = 0
  /** When the last pass began, by the clock of the due moments. */
  #passAtMs = 0
  #failures = 0
  #timer: NodeJS.Timeout | null = null

  constructor(options: WorkerOptions) {
    this.#options = options
    this.queues = options.queues
  }

  /** No pass runs and no work is in progress. */
  get isQuiet(): boolean {
    return this.#running === null && this.#inProgress.size === 0
  }

  /** As far as is known, nothing waits in this database, now or later. */
  get isIdle(): boolean {
    return this.isQuiet && this.#failures === 0 && this.queues.every(({ dueIndex }) => dueIndex.size === 0)
  }

  /** Makes a pass, after the present one. @param walk over all keys first */
  wake(walk = false): void {
    if (this.#isStopped) return
    if (walk) this.#walkAtMs = 0
    this.#isPassWanted = true
    const isBackingOff = this.#failures > 0 && this.#timer !== null
    if (!isBackingOff || walk) this.#running ??= this.#run()
  }

  /** Makes a pass only if something that was held back can be claimed now. */
  wakeIfHeldBack(): void {
    if (this.#isHeldBack && this.queues.some((queue) => queue.canResume())) this.wake()
  }

  /** Waits for the present pass, and not for the work that it begins. */
  async passed(): Promise<void> {
    await this.#running
  }

  /** Waits until no pass runs and no work is in progress. */
  async settled(): Promise<void> {
    while (!this.isQuiet) await Promise.all([this.#running, ...this.#inProgress])
  }

  /** Claims nothing more, and waits for the work in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#setTimer(null)
    await this.settled()
    this.#returnDatabase()
  }

  async #run(): Promise<void> {
    this.#setTimer(null)
    while (this.#isPassWanted && !this.#isStopped) {
      await this.#throttle.wait()
      this.#isPassWanted = false
      try {
        await this.#pass()
        this.#failures = 0
      } catch (error) {
        const level = this.#failures++ === 0 ? levelOf(error) : 'debug'
        this.#options.shared.log[level]({ err: causeOf(error) }, 'queue not served')
        break
      }
    }
    this.#running = null
    this.#rest()
  }

  async #pass(): Promise<void> {
    const { databaseKey, shared, tenants, peers } = this.#options
    this.#lease ??= await tenants.lease(databaseKey)
    const { database } = this.#lease
    if (performance.now() >= this.#walkAtMs) await this.#walk(database)
    this.#isHeldBack = false
    this.#passAtMs = shared.clock().getTime()
    for (const queue of this.queues) {
      const { begun, hasWritten, isMore, isHeldBack } = await queue.pass(database)
      for (const work of begun) this.#track(work)
      if (hasWritten) this.#throttle.begin()
      if (isHeldBack) this.#isHeldBack = true
      if (isMore) this.#isPassWanted = true
      else if (isHeldBack && hasWritten) peers.notify(databaseKey)
    }
  }

  async #walk(database: Database): Promise<void> {
    const beganMs = performance.now()
    for (const queue of this.queues) await queue.dueIndex.refresh(() => queue.walk(database))
    const endedMs = performance.now()
    this.#walkAtMs = endedMs + Math.max(this.#options.walkEveryMs ?? 0, (endedMs - beganMs) / maxWalkShare)
  }

  #track(work: Promise<void>): void {
    const tracked = work.then(() => {
      this.#inProgress.delete(tracked)
      this.#options.group.capacityFreed()
      this.#rest()
    })
    this.#inProgress.add(tracked)
  }

  /** Between two passes: waits for the next due moment, and returns a tenant's database that has nothing to do. */
  #rest(): void {
    if (this.#running === null && !this.#isStopped) this.#setTimer(this.#waitMs())
    if (this.isQuiet && this.#options.walkEveryMs === null) this.#returnDatabase()
  }

  #waitMs(): number | null {
    if (this.#failures > 0) return Math.min(minBackoffMs * 2 ** (this.#failures - 1), maxBackoffMs)
    const nowMs = this.#options.shared.clock().getTime()
    // What has fallen due since the last pass began was not claimed by it.
    const moments = this.queues.flatMap(({ dueIndex }) => dueIndex.nextAfter(this.#passAtMs) ?? [])
    const waits = [
      this.#options.walkEveryMs ?? [],
      ...moments.map((next) => Math.max(next - nowMs, 0) + 1),
    ].flat()
    return waits.length === 0 ? null : Math.min(...waits, maxTimerMs)
  }

  #setTimer(waitMs: number | null): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = waitMs === null ? null : setTimeout(() => this.#onTimer(), waitMs).unref()
  }

  #onTimer(): void {
    this.#timer = null
    this.wake()
  }

  /** The next pass opens it again. */
  #returnDatabase(): void {
    this.#lease?.release()
    this.#lease = null
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof ServiceError && error.cause !== undefined ? error.cause : error
}

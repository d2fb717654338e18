/** Serves the queues of one database: polls them when work may be due, and waits for the next due moment. */

import type { Database } from '../../database/executor.ts'
import type { Shared } from '../context.ts'
import { Throttle } from '../limits/throttle.ts'
import type { Lease } from '../tenant/database-state.ts'
import { retryLogLevel } from '../tenant/unavailable-database.ts'
import type { PeerNotifier } from './peer-notifier.ts'
import { PollSchedule } from './poll-schedule.ts'
import type { Queue, WorkerGroup } from './queue.ts'
import type { ServedTenants } from './served-tenants.ts'

export interface WorkerOptions {
  /** The tenant whose own database the worker serves, or `catalogueKey`. */
  databaseKey: string
  queues: readonly Queue[]
  /**
   * The interval of scans for work that other instances have left; `null` for a tenant's own database, which is scanned
   * only on request.
   */
  scanEveryMs: number | null
  shared: Shared
  tenants: ServedTenants
  peers: PeerNotifier
  group: WorkerGroup
}

/** The shortest interval of polls. Events that are committed in between are dispatched in one transaction. */
const passEveryMs = 10

export class QueueWorker {
  readonly queues: readonly Queue[]
  readonly #options: WorkerOptions
  readonly #schedule: PollSchedule
  readonly #throttle = new Throttle(passEveryMs)
  readonly #inProgress = new Set<Promise<void>>()
  #lease: Lease | null = null
  #running: Promise<void> | null = null
  #isPollRequested = false
  #isHeldBack = false
  #isStopped = false

  constructor(options: WorkerOptions) {
    this.#options = options
    this.queues = options.queues
    this.#schedule = new PollSchedule(options.scanEveryMs, options.shared.clock, () => this.wake())
  }

  /** @param name of the kind of work */
  queueOf(name: string): Queue | undefined {
    return this.queues.find((queue) => queue.name === name)
  }

  /** Whether no poll runs and no work is in progress. */
  get isQuiet(): boolean {
    return this.#running === null && this.#inProgress.size === 0
  }

  /** Whether no pending work is known in this database, now or later. */
  get isIdle(): boolean {
    const isEmpty = this.queues.every(({ dueIndex }) => dueIndex.size === 0)
    return this.isQuiet && isEmpty && this.#schedule.failures === 0
  }

  /** When the first work is due; `null` while work is due or in progress, after a failure, and without any work. */
  nextDueMs(): number | null {
    if (!this.isQuiet || this.#schedule.failures > 0) return null
    const moments = this.queues.flatMap(({ dueIndex }) => dueIndex.oldest() ?? [])
    return moments.length === 0 ? null : Math.min(...moments)
  }

  /** Runs a poll, after the present one. @param scan over all keys first */
  wake(scan = false): void {
    if (this.#isStopped) return
    if (scan) this.#schedule.requestScan()
    this.#isPollRequested = true
    if (scan || !this.#schedule.isBackingOff) this.#running ??= this.#run()
  }

  /** Runs a poll only if work that was held back can be claimed now. */
  wakeIfHeldBack(): void {
    if (this.#isHeldBack && this.queues.some((queue) => queue.canResume())) this.wake()
  }

  /** Waits for the present poll, but not for the work that it begins. */
  async polled(): Promise<void> {
    await this.#running
  }

  /** Waits until no poll runs and no work is in progress. */
  async settled(): Promise<void> {
    while (!this.isQuiet) await Promise.all([this.#running, ...this.#inProgress])
  }

  /** Claims nothing more, and waits for the work in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#schedule.cancel()
    await this.settled()
    this.#returnDatabase()
  }

  async #run(): Promise<void> {
    this.#schedule.cancel()
    while (this.#isPollRequested && !this.#isStopped) {
      await this.#throttle.wait()
      this.#isPollRequested = false
      try {
        await this.#poll()
        this.#schedule.succeeded()
      } catch (error) {
        const level = this.#schedule.failures === 0 ? retryLogLevel(error) : 'debug'
        this.#schedule.failed()
        this.#options.shared.log[level]({ err: error }, 'queue not served')
        break
      }
    }
    this.#running = null
    this.#rest()
  }

  async #poll(): Promise<void> {
    const { databaseKey, tenants, peers } = this.#options
    this.#lease ??= await tenants.lease(databaseKey)
    const { database } = this.#lease
    if (this.#schedule.begin()) await this.#scan(database)
    this.#isHeldBack = false
    for (const queue of this.queues) {
      const polled = await queue.poll(database)
      for (const work of polled.begun) this.#track(work)
      if (polled.hasWritten) this.#throttle.begin()
      this.#isHeldBack ||= polled.isHeldBack
      if (polled.isMore) this.#isPollRequested = true
      else if (polled.isHeldBack && polled.hasWritten) peers.notify(databaseKey) // others may have capacity
    }
  }

  async #scan(database: Database): Promise<void> {
    const beganMs = performance.now()
    for (const queue of this.queues) await queue.dueIndex.refresh(() => queue.scan(database))
    this.#schedule.scanned(beganMs)
  }

  #track(work: Promise<void>): void {
    const tracked = work.then(() => {
      this.#inProgress.delete(tracked)
      this.#options.group.capacityFreed()
      this.#rest()
    })
    this.#inProgress.add(tracked)
  }

  /** Waits for the next due moment. A tenant's own database is returned while nothing is in progress. */
  #rest(): void {
    if (this.#running === null && !this.#isStopped) this.#schedule.rest(this.queues)
    if (this.isQuiet && this.#options.scanEveryMs === null) this.#returnDatabase()
  }

  #returnDatabase(): void {
    this.#lease?.release()
    this.#lease = null
  }
}

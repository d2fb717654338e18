/**
 * The queue of password hashes. A hash occupies a thread of Node's pool for a long time, and other threads have to stay
 * free to sign and verify tokens and to read files.
 */

import { ServiceError } from '../../core/errors.ts'
import { type QueueEntry, TurnQueue } from '../../core/limits/turn-queue.ts'
import { Counter, type Sample } from '../../core/metric.ts'
import type { HashOrigin } from '../../core/passwords.ts'
import type { Limit } from '../../database/limit.ts'

export interface HashLimits {
  /** The number of hashes that are computed at a time. */
  maxConcurrent: number
  /** The queue holds as many hashes as can be computed in this time. */
  maxQueueMs: number
  /** The maximum wait of a hash. Longer than `maxQueueMs`: hashes are not computed in the order of arrival. */
  maxWaitMs: number
}

const defaultLimits = { maxQueueMs: 3000, maxWaitMs: 5000 }
/** The least waiting hashes for each concurrent one. However slow hashes are, a few users can sign in at the same time. */
const minWaiting = 4
/** Bounds the memory of the queue, however fast hashes are. */
const maxWaiting = 512
const maxInBackground = 16
/** The assumed duration of a hash, until some are measured. */
const initialHashMs = 50
/** The weight of the newest measurement in the average. */
const smoothing = 0.1
const logIntervalMs = 10_000

export const hashLimit: Limit = {
  name: 'password hashes that wait',
  kind: 'permits',
  bounds: { instance: `as many as take ${defaultLimits.maxQueueMs / 1000} seconds, at most ${maxWaiting}` },
  changedBy: ['UV_THREADPOOL_SIZE', 'hashLimits'],
  beyond: '503 with `Retry-After`, also after a wait of 5 seconds',
  metrics: ['password_hash_queue_depth', 'password_hashes_total'],
  page: 'api/rate-limits.md#password-hashing',
}

interface Log {
  warn(detail: object, text: string): void
}

interface QueuedHash {
  origin: HashOrigin
  /** `null` before it is in the queue. */
  entry: QueueEntry<QueuedHash> | null
  sinceMs: number
  start(): void
  fail(error: ServiceError): void
  abandon(): void
}

export class HashQueue {
  readonly #limits: HashLimits
  readonly #log: Log
  readonly #waiting = new TurnQueue<QueuedHash>()
  /** The waiting hashes in the order of arrival. */
  readonly #byAge = new Set<QueuedHash>()
  readonly #background: (() => Promise<void>)[] = []
  readonly #backgroundRuns = new Set<Promise<void>>()
  readonly #outcomes = new Counter<'outcome'>(['outcome'])
  #running = 0
  #averageMs = initialHashMs
  #waitedMs = 0
  #refusedSinceLog = 0
  #loggedAtMs = Number.NEGATIVE_INFINITY

  constructor(limits: Partial<HashLimits> & { maxConcurrent: number }, log: Log) {
    this.#limits = { ...defaultLimits, ...limits }
    this.#log = log
  }

  get depth(): number {
    return this.#waiting.size
  }

  /** The total time that hashes have waited. */
  get waitedSeconds(): number {
    return this.#waitedMs / 1000
  }

  outcomes(): readonly Sample[] {
    return this.#outcomes.samples()
  }

  /** @throws ServiceError `overloaded` with Retry-After when the queue is full, or the client has disconnected */
  async run<T>(compute: () => Promise<T>, origin: HashOrigin): Promise<T> {
    if (this.#running < this.#limits.maxConcurrent) this.#running++
    else await this.#waitForTurn(origin)
    return this.#measured(compute)
  }

  /**
   * Computes when no request waits for a hash. Drops the work on `close`, and when much of it waits.
   * @param use receives the result after the next hash has started
   */
  runWhenIdle<T>(compute: () => Promise<T>, use: (result: T) => Promise<void>): void {
    if (this.#background.length >= maxInBackground) return
    this.#background.push(() =>
      this.#measured(compute)
        .then(use)
        .catch((error: unknown) => this.#log.warn({ err: error }, 'password hash not renewed')),
    )
    this.#startNext()
  }

  /** Drops waiting background work. @returns when background work in progress has ended */
  async close(): Promise<void> {
    this.#background.length = 0
    await Promise.all(this.#backgroundRuns)
  }

  #waitForTurn(origin: HashOrigin): Promise<void> {
    return new Promise((start, fail) => {
      const waiting: QueuedHash = {
        origin,
        start,
        fail,
        entry: null,
        sinceMs: performance.now(),
        abandon: () => this.#fail(waiting, 'abandoned'),
      }
      waiting.entry = this.#waiting.push(origin.paths, waiting)
      this.#byAge.add(waiting)
      origin.signal?.addEventListener('abort', waiting.abandon)
      if (origin.signal?.aborted === true) waiting.abandon()
      else if (this.#waiting.size > this.#capacity) this.#displace()
    })
  }

  /** A full queue refuses the newest hash of the origin with the most entries, which may not be the latest arrival. */
  #displace(): void {
    const displaced = this.#waiting.pop()
    if (displaced !== undefined) this.#fail(displaced, 'refused')
  }

  get #capacity(): number {
    const { maxConcurrent, maxQueueMs } = this.#limits
    const inTime = Math.floor((maxQueueMs * maxConcurrent) / this.#averageMs)
    return Math.min(maxWaiting, Math.max(minWaiting * maxConcurrent, inTime))
  }

  async #measured<T>(compute: () => Promise<T>): Promise<T> {
    const beganMs = performance.now()
    try {
      return await compute()
    } finally {
      this.#averageMs += smoothing * (performance.now() - beganMs - this.#averageMs)
      this.#outcomes.count({ outcome: 'computed' })
      this.#running--
      this.#refuseOverdue()
      this.#startNext()
    }
  }

  #startNext(): void {
    while (this.#running < this.#limits.maxConcurrent) {
      const next = this.#waiting.shift()
      if (next === undefined) {
        const work = this.#background.shift()
        if (work === undefined) return
        this.#running++
        const run = work().finally(() => this.#backgroundRuns.delete(run))
        this.#backgroundRuns.add(run)
      } else {
        this.#running++
        this.#leave(next)
        this.#waitedMs += performance.now() - next.sinceMs
        next.start()
      }
    }
  }

  #refuseOverdue(): void {
    const latestMs = performance.now() - this.#limits.maxWaitMs
    for (const waiting of this.#byAge) {
      if (waiting.sinceMs > latestMs) return
      this.#fail(waiting, 'refused')
    }
  }

  #fail(waiting: QueuedHash, outcome: 'refused' | 'abandoned'): void {
    if (waiting.entry !== null) this.#waiting.delete(waiting.entry)
    this.#leave(waiting)
    this.#outcomes.count({ outcome })
    if (outcome === 'refused') this.#logRefusal()
    const ahead = ((this.#waiting.size + 1) * this.#averageMs) / this.#limits.maxConcurrent
    const retryAfterSeconds = Math.max(1, Math.ceil(ahead / 1000))
    waiting.fail(new ServiceError('overloaded', undefined, { retryAfterSeconds }))
  }

  #leave(waiting: QueuedHash): void {
    this.#byAge.delete(waiting)
    waiting.origin.signal?.removeEventListener('abort', waiting.abandon)
  }

  /** One line for many refusals: a flood of sign-ins must not fill the log. */
  #logRefusal(): void {
    this.#refusedSinceLog++
    const nowMs = performance.now()
    if (nowMs - this.#loggedAtMs < logIntervalMs) return
    this.#loggedAtMs = nowMs
    const detail = { refused: this.#refusedSinceLog, waiting: this.#waiting.size }
    this.#refusedSinceLog = 0
    this.#log.warn(detail, 'password hashing overloaded')
  }
}

/** Records outcomes of work, many in one transaction, and retries while the database is unavailable. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, DatabaseUnavailable } from '../../database/executor.ts'
import type { Logger } from '../context.ts'
import { Throttle } from '../limits/throttle.ts'
import type { NextDue } from './leased-work.ts'

/** The maximum number of outcomes in one transaction. Outcomes that arrive meanwhile gather for the next one. */
const maxBatch = 200
const minRetryMs = 250
/** The longest pause between retries. It is shorter than a lease: after the lease the work would be claimed again. */
const maxRetryMs = 2000
/** The delay in which outcomes gather, so that they share a commit. */
const writeEveryMs = 10

export interface RecorderOptions<Outcome> {
  database: Database
  log: Logger
  /** Ends the retries: once it is aborted, an unavailable database is not tried again. */
  signal: AbortSignal
  /** Writes the outcomes in one transaction. @returns when each is due next @throws DatabaseUnavailable */
  write(outcomes: readonly Outcome[]): Promise<NextDue[]>
  /** Identifies an outcome in the log. */
  describe(outcome: Outcome): object
}

interface Pending<Outcome> {
  outcome: Outcome
  done(next: NextDue | null): void
}

export class Recorder<Outcome> {
  readonly #options: RecorderOptions<Outcome>
  readonly #pending: Pending<Outcome>[] = []
  readonly #throttle = new Throttle(writeEveryMs)
  #isRunning = false
  /** Halved after each refusal of the database, which may be caused by the size, and doubled after each success. */
  #batchSize = maxBatch
  #refusals = 0

  constructor(options: RecorderOptions<Outcome>) {
    this.#options = options
  }

  get database(): Database {
    return this.#options.database
  }

  /**
   * Records an outcome.
   * @returns when the work is due next, after that is on the disk; `null` if it could not be written
   */
  record(outcome: Outcome): Promise<NextDue | null> {
    return new Promise((resolve) => {
      this.#pending.push({ outcome, done: resolve })
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#pending.length > 0) {
      if (this.#pending.length < this.#batchSize) await this.#throttle.wait()
      this.#throttle.begin()
      await this.#write(this.#pending.splice(0, this.#batchSize))
    }
    this.#isRunning = false
  }

  async #write(batch: Pending<Outcome>[]): Promise<void> {
    try {
      const next = await this.#options.write(batch.map(({ outcome }) => outcome))
      this.#batchSize = Math.min(this.#batchSize * 2, maxBatch)
      this.#refusals = 0
      for (const [index, { done }] of batch.entries()) done(next[index] ?? null)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) await this.#postpone(batch, error)
      else if (batch.length > 1) for (const each of batch) await this.#write([each])
      else this.#giveUp(batch, error)
    }
  }

  async #postpone(batch: Pending<Outcome>[], error: DatabaseUnavailable): Promise<void> {
    const { signal, log } = this.#options
    if (signal.aborted) {
      this.#batchSize = maxBatch // so that a stop waits for few retries
      this.#giveUp(batch, error)
      return
    }
    log.warn({ err: error, attempts: batch.length }, 'attempts not recorded yet')
    this.#batchSize = Math.max(1, Math.floor(batch.length / 2))
    // A single outcome that is refused goes to the end: the cause may be its own, such as a locked row.
    if (batch.length === 1) this.#pending.push(...batch)
    else this.#pending.unshift(...batch)
    const waitMs = Math.min(minRetryMs * 2 ** this.#refusals++, maxRetryMs)
    await delay(waitMs, undefined, { signal }).catch(() => undefined) // a stop ends the wait
  }

  /** Logs outcomes that cannot be written. Their work is done again when its lease ends. */
  #giveUp(batch: readonly Pending<Outcome>[], error: unknown): void {
    const { log, describe } = this.#options
    for (const { outcome, done } of batch) {
      log.error({ err: error, ...describe(outcome) }, 'attempt not recorded')
      done(null)
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import type { Shared } from '../../../core/context.ts'
import { type Database, DatabaseUnavailable } from '../../../database/executor.ts'
import { Pause } from '../pause.ts'
import { recordResults } from './record.ts'
import type { Result } from './result.ts'
import type { DeliveryState } from './sql.ts'

/** While one transaction is under way, what comes in gathers for the next. */
const mostAtOnce = 200
const firstRetryMs = 250
/** Well within a lease: what was sent is to be recorded before anybody takes it for lost. */
const longestRetryMs = 2000
/** Answers that come in between share a commit. */
const writeEveryMs = 10

interface Waiting {
  result: Result
  done(state: DeliveryState | null): void
}

/** Gathers results, and tries again while the database is away: an attempt that was made is not forgotten. */
export class Recorder {
  readonly #shared: Shared
  readonly #database: Database
  readonly #waiting: Waiting[] = []
  readonly #pause = new Pause(writeEveryMs)
  readonly #signal: AbortSignal
  #running = false
  /** Of one transaction: halved while the database refuses, which may be for the size alone, and doubled after. */
  #most = mostAtOnce
  #refusals = 0

  /** @param signal after which a database that is away is not waited for any longer */
  constructor(shared: Shared, database: Database, signal: AbortSignal) {
    this.#shared = shared
    this.#database = database
    this.#signal = signal
  }

  /** @returns the delivery's next state once it is on the disk; `null` when it could not be written */
  record(result: Result): Promise<DeliveryState | null> {
    return new Promise((resolve) => {
      this.#waiting.push({ result, done: resolve })
      if (!this.#running) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < this.#most) await this.#pause.wait()
      this.#pause.begin()
      await this.#write(this.#waiting.splice(0, this.#most))
    }
    this.#running = false
  }

  async #write(batch: Waiting[]): Promise<void> {
    try {
      const results = batch.map(({ result }) => result)
      const states = await recordResults(this.#shared, this.#database, results)
      this.#most = Math.min(this.#most * 2, mostAtOnce)
      this.#refusals = 0
      for (const [index, { done }] of batch.entries()) done(states[index] ?? null)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) await this.#refused(batch, error)
      else if (batch.length > 1) for (const each of batch) await this.#write([each])
      else this.#giveUp(batch, error)
    }
  }

  async #refused(batch: Waiting[], error: DatabaseUnavailable): Promise<void> {
    if (this.#signal.aborted) {
      this.#most = mostAtOnce // a stop waits for few tries
      this.#giveUp(batch, error)
      return
    }
    this.#shared.log.warn({ err: error, attempts: batch.length }, 'attempts not recorded yet')
    this.#most = Math.max(1, Math.floor(batch.length / 2))
    // One that is refused alone goes behind the others: the cause may be its own, such as a row that is locked.
    if (batch.length === 1) this.#waiting.push(...batch)
    else this.#waiting.unshift(...batch)
    const waitMs = Math.min(firstRetryMs * 2 ** this.#refusals++, longestRetryMs)
    await delay(waitMs, undefined, { signal: this.#signal }).catch(() => undefined) // a stop ends the pause
  }

  /** Their leases end, and then they are sent again. */
  #giveUp(batch: readonly Waiting[], error: unknown): void {
    for (const { result, done } of batch) {
      this.#shared.log.error({ err: error, delivery: result.delivery.id }, 'attempt not recorded')
      done(null)
    }
  }
}

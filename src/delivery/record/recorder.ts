import type { Shared } from '../../context.ts'
import { type Database, DatabaseUnavailable } from '../../database/executor.ts'
import { Pause } from '../pause.ts'
import { recordResults } from './record.ts'
import type { Result } from './result.ts'
import type { DeliveryState } from './sql.ts'

/** While one transaction is under way, what comes in gathers for the next. */
const mostAtOnce = 200
const retryMs = 250
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
  #running = false

  readonly #signal: AbortSignal

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
      if (this.#waiting.length < mostAtOnce) await this.#pause.wait()
      this.#pause.begin()
      await this.#write(this.#waiting.splice(0, mostAtOnce))
    }
    this.#running = false
  }

  async #write(batch: Waiting[]): Promise<void> {
    try {
      const results = batch.map(({ result }) => result)
      const states = await recordResults(this.#shared, this.#database, results)
      for (const [index, { done }] of batch.entries()) done(states[index] ?? null)
    } catch (error) {
      if (error instanceof DatabaseUnavailable && !this.#signal.aborted) {
        this.#shared.log.warn({ err: error, attempts: batch.length }, 'attempts not recorded yet')
        await new Promise((resolve) => setTimeout(resolve, retryMs))
        this.#waiting.unshift(...batch)
      } else if (batch.length > 1) {
        for (const each of batch) await this.#write([each])
      } else {
        this.#shared.log.error({ err: error, delivery: batch[0]?.result.delivery.id }, 'attempt not recorded')
        batch[0]?.done(null)
      }
    }
  }
}

/** Work on many rows in short transactions, with turns for everybody else between them. */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Database, Dialect, Transaction } from './executor.ts'

/** On SQLite a transaction runs on the thread that serves everybody. */
const targetMs = 3
const maxRows = 500
/** Nothing is known of the rows yet: those of events can have 256 KiB each. */
const firstRows = 1
/** As long as a walk that only reads may keep the thread. */
const sliceMs = 3

/** How many rows the next batch takes: on SQLite as many as are done in about 3 ms, by the time the last one took. */
export class BatchSize {
  rows: number
  readonly #isAdaptive: boolean

  /** @param first on SQLite */
  constructor(dialect: Dialect, first = firstRows) {
    this.#isAdaptive = dialect === 'sqlite'
    this.rows = this.#isAdaptive ? first : maxRows
  }

  /** It grows slowly, because rows differ, and shrinks at once. */
  adapt(tookMs: number): void {
    if (!this.#isAdaptive) return
    const fitting = Math.floor((this.rows * targetMs) / Math.max(tookMs, 0.01))
    this.rows = Math.max(1, Math.min(fitting, 2 * this.rows, maxRows))
  }
}

interface Batch<T> {
  /** Finds what the next batch is about, by an index. @param rows at most so many @returns `null` when nothing is left */
  next(rows: number): Promise<T | null>
  work(transaction: Transaction, found: T): Promise<void>
}

/**
 * Each batch is a transaction of its own. Between two of them others have at least as much of the time.
 * @param signal a stop: the batch that has begun is the last
 * @throws the reason of the signal
 */
export async function inBatches<T>(
  database: Database,
  { next, work }: Batch<T>,
  signal?: AbortSignal,
): Promise<void> {
  const size = new BatchSize(database.dialect)
  for (;;) {
    signal?.throwIfAborted()
    const found = await next(size.rows)
    if (found === null) return
    let tookMs = 0
    await database.transaction(async (transaction) => {
      const began = performance.now()
      await work(transaction, found)
      tookMs = performance.now() - began
    })
    size.adapt(tookMs)
    await delay(tookMs)
  }
}

/** For a walk of many small steps: on SQLite none of them gives the thread away by itself. */
export class Turns {
  #sinceMs = performance.now()

  /** Gives the others a turn when they have waited for long. */
  async give(): Promise<void> {
    if (performance.now() - this.#sinceMs < sliceMs) return
    await nextTurn()
    this.#sinceMs = performance.now()
  }
}

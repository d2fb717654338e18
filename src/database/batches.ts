/** Works on many rows in short transactions, with pauses for other work between them. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Database, Dialect, Transaction } from './executor.ts'

/** On SQLite a transaction blocks the thread that serves requests. */
const targetMs = 3
const maxRows = 500
/** The size of the rows is not known yet: an event may have 256 KiB. */
const firstRows = 1

/** The number of rows of the next batch: on SQLite as many as the last batch would have done in about 3 ms. */
export class BatchSize {
  rows: number
  readonly #isAdaptive: boolean

  /** @param first on SQLite */
  constructor(dialect: Dialect, first = firstRows) {
    this.#isAdaptive = dialect === 'sqlite'
    this.rows = this.#isAdaptive ? first : maxRows
  }

  /** Grows slowly, because rows differ, and shrinks at once. */
  adapt(tookMs: number): void {
    if (!this.#isAdaptive) return
    const fitting = Math.floor((this.rows * targetMs) / Math.max(tookMs, 0.01))
    this.rows = Math.max(1, Math.min(fitting, 2 * this.rows, maxRows))
  }
}

interface Batch<T> {
  /** Finds the next batch by an index. @param rows the maximum @returns `null` when nothing is left */
  next(rows: number): Promise<T | null>
  work(transaction: Transaction, found: T): Promise<void>
}

/**
 * Works in batches, each a transaction. The pause after a batch is as long as the batch took.
 * @param signal aborted when the service stops: the batch in progress is the last
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

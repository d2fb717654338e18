/** Reads that no index bounds: on connections of their own, by a cursor, a batch at a time. */
import type pg from 'pg'
import { type Executor, type Row, type ScanOptions, StatementTimedOut } from '../executor.ts'
import { translate } from './failure.ts'
import type { ConnectionLease, LimitedPool } from './limited-pool.ts'

/** How the server plans and bounds what these connections run. */
export const scanSettings = [
  'max_parallel_workers_per_gather=0',
  'jit=off',
  // A cursor is read to its end, mostly.
  'cursor_tuple_fraction=1',
  // Of a reader that does not come back.
  'idle_in_transaction_session_timeout=10s',
].map((setting) => `-c ${setting}`)

/** A first batch, before the size of the rows is known. */
const firstRows = 20
const maxRows = 200
const batchBytes = 128 * 1024
/** Of the rows of a batch that nobody has seen yet: they may be as long as rows can be. */
const maxUnseenBytes = 8 * 1024 * 1024
const networkGraceMs = 1000
/** Of the service itself, whose reads have no end of time. */
const maxStatementMs = 30_000

export class CursorScans {
  readonly #pool: LimitedPool
  readonly #executor: Executor

  /** @param executor cancels what runs for readers that have gone */
  constructor(pool: LimitedPool, executor: Executor) {
    this.#pool = pool
    this.#executor = executor
  }

  read(sql: string, parameters: readonly unknown[], options: ScanOptions): AsyncIterable<Row[]> {
    return { [Symbol.asyncIterator]: () => this.#iterate(sql, parameters, options) }
  }

  /** Unlike that of a generator, its `return` ends a statement that is under way. */
  #iterate(sql: string, parameters: readonly unknown[], options: ScanOptions): AsyncIterator<Row[]> {
    const stop = new AbortController()
    const batches = this.#batches({ sql, parameters, ...options }, stop.signal)
    return {
      next: () => batches.next(),
      return: () => {
        stop.abort()
        return batches.return(undefined)
      },
    }
  }

  async *#batches(scan: Scan, stop: AbortSignal): AsyncGenerator<Row[], undefined> {
    const lease = await this.#pool.lease(scan.owner, 'read').catch(rethrow)
    const cursor = new Cursor(lease, scan)
    const cancel = (): void => cursor.cancel(this.#executor)
    stop.addEventListener('abort', cancel)
    try {
      while (!stop.aborted && !cursor.isEnded) {
        const rows = await cursor.fetch().catch(rethrow)
        if (cursor.isEnded) await cursor.close() // before its last rows are used, which may take a while
        if (rows.length > 0) yield rows
      }
    } finally {
      stop.removeEventListener('abort', cancel)
      await cursor.close()
    }
    return undefined
  }

  end(): Promise<void> {
    return this.#pool.end()
  }
}

interface Scan extends ScanOptions {
  sql: string
  parameters: readonly unknown[]
}

class Cursor {
  isEnded = false
  readonly #lease: ConnectionLease
  readonly #scan: Scan
  #isOpen = false
  #isRunning = false
  #isCancelled = false
  #isClosed = false
  readonly #maxRows: number
  #rows: number

  constructor(lease: ConnectionLease, scan: Scan) {
    this.#lease = lease
    this.#scan = scan
    this.#maxRows = Math.min(maxRows, Math.max(1, Math.floor(maxUnseenBytes / (scan.maxRowBytes || 1))))
    this.#rows = Math.min(firstRows, this.#maxRows)
  }

  /** Whatever precedes the rows goes in the same round trip. */
  async fetch(): Promise<Row[]> {
    const remainingMs = Math.ceil(Math.min(this.#scan.time.leftMs, maxStatementMs))
    if (remainingMs <= 0) throw new StatementTimedOut('The statement took too long.')
    const wanted = this.#rows
    const limit = `SET LOCAL statement_timeout = ${remainingMs}`
    const queries: pg.QueryConfig[] = this.#isOpen
      ? [{ text: limit }]
      : [{ text: `BEGIN READ ONLY; ${limit}` }, declaration(this.#scan)]
    queries.push({ text: `FETCH ${wanted} FROM batch` })
    this.#isOpen = true
    this.#isRunning = true
    const beganAtMs = performance.now()
    try {
      const results = await Promise.all(
        queries.map((query) => this.#lease.client.query({ ...query, ...clientTimeout(remainingMs) })),
      )
      const rows: Row[] = results.at(-1)?.rows ?? []
      this.isEnded = rows.length < wanted
      this.#rows = Math.min(this.#maxRows, rowsPerBatch(rows))
      return rows
    } finally {
      this.#isRunning = false
      this.#scan.time.leftMs -= performance.now() - beganAtMs
    }
  }

  /** The connection is closed then: the word may come too late, and would end what runs next. */
  cancel(executor: Executor): void {
    if (!this.#isRunning) return
    this.#isCancelled = true
    const { processID } = this.#lease.client as { processID?: number } // its types leave it out
    executor.run('SELECT pg_cancel_backend($1)', [processID ?? 0], true).catch(() => undefined) // it has a time-out too
  }

  /** Gives the connection back. After a failure, a commit undoes. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    let broken = this.#isCancelled
    if (this.#isOpen && !broken) {
      // The time of the scan bounds its COMMIT as well: one that has failed leaves an aborted transaction behind.
      await this.#lease.client.query({ text: 'COMMIT' }).catch(() => {
        broken = true
      })
    }
    this.#lease.release(broken)
  }
}

function declaration({ sql, parameters }: Scan): pg.QueryConfig {
  return { text: `DECLARE batch NO SCROLL CURSOR FOR ${sql}`, values: [...parameters] }
}

/** When the server says nothing. */
function clientTimeout(remainingMs: number): { query_timeout: number } {
  return { query_timeout: remainingMs + networkGraceMs }
}

/** So many rows like these make a batch. */
function rowsPerBatch(rows: readonly Row[]): number {
  let bytes = 1
  for (const row of rows) for (const value of Object.values(row)) bytes += sizeOf(value)
  return Math.min(maxRows, Math.max(1, Math.floor((batchBytes * rows.length) / bytes)))
}

function sizeOf(value: unknown): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
}

function rethrow(error: unknown): never {
  throw translate(error)
}

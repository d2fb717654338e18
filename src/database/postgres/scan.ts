/** Reads many rows on a separate connection, with a cursor and in batches, for queries that no index bounds. */
import type pg from 'pg'
import { type Executor, type Row, type ScanOptions, StatementTimedOut } from '../executor.ts'
import { AnswerTimeout } from './answer-timeout.ts'
import { translate } from './failure.ts'
import type { ConnectionLease, LimitedPool } from './limited-pool.ts'
import { toStatement } from './request.ts'

/** The settings of the transaction, so that a pooler may give its session to others afterwards. */
const scanSettings = [
  // A scan occupies one process of the server. PostgreSQL plans no cursor in parallel: the setting guarantees it.
  'max_parallel_workers_per_gather = 0',
  // Most cursors are read to their end.
  'cursor_tuple_fraction = 1',
  // PostgreSQL ends the scan of a reader that stops reading.
  "idle_in_transaction_session_timeout = '10s'",
].map((setting) => `SET LOCAL ${setting}`)

/** The number of rows in the first batch, before the size of the rows is known. */
const firstRows = 20
const maxRows = 200
const batchBytes = 128 * 1024
/** The limit of a batch of which only the maximum size of a row is known. */
const maxUnseenBytes = 8 * 1024 * 1024
/** A server that has not ended a statement by then does not respond. */
const networkGraceMs = 1000
/** The limit of a statement of the service, whose reads have no time limit. */
const maxStatementMs = 30_000

export class CursorScans {
  readonly #pool: LimitedPool
  readonly #executor: Executor

  /** @param executor cancels statements of readers that have stopped */
  constructor(pool: LimitedPool, executor: Executor) {
    this.#pool = pool
    this.#executor = executor
  }

  read(sql: string, parameters: readonly unknown[], options: ScanOptions): AsyncIterable<Row[]> {
    return { [Symbol.asyncIterator]: () => this.#iterate(sql, parameters, options) }
  }

  /** Makes an iterator whose `return` also cancels a running statement: that of a generator would wait for it. */
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
    const cursor = new Cursor(lease, scan, this.#executor)
    const cancel = (): void => cursor.cancel()
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

const backend: pg.QueryConfig = { text: 'SELECT pg_backend_pid() AS backend' }

class Cursor {
  isEnded = false
  readonly #lease: ConnectionLease
  readonly #scan: Scan
  readonly #executor: Executor
  #isOpen = false
  #isRunning = false
  #isCancelled = false
  #isClosed = false
  /** The process of its transaction, which a pooler chooses; 0 before the server has named it. */
  #backend = 0
  readonly #maxRows: number
  #rows: number

  /** @param executor cancels the statement of the cursor */
  constructor(lease: ConnectionLease, scan: Scan, executor: Executor) {
    this.#lease = lease
    this.#scan = scan
    this.#executor = executor
    this.#maxRows = Math.min(maxRows, Math.max(1, Math.floor(maxUnseenBytes / (scan.maxRowBytes || 1))))
    this.#rows = Math.min(firstRows, this.#maxRows)
  }

  /** Statements before the FETCH are sent in the same round trip. */
  async fetch(): Promise<Row[]> {
    const remainingMs = Math.ceil(Math.min(this.#scan.time.leftMs, maxStatementMs))
    if (remainingMs <= 0) throw new StatementTimedOut('The statement took too long.')
    const wanted = this.#rows
    const limit = `SET LOCAL statement_timeout = ${remainingMs}`
    const queries: pg.QueryConfig[] = this.#isOpen
      ? [{ text: limit }]
      : [
          { text: [`BEGIN READ ONLY; ${limit}`, ...scanSettings].join('; ') },
          backend,
          declaration(this.#scan),
        ]
    queries.push({ text: `FETCH ${wanted} FROM batch` })
    this.#isOpen = true
    this.#isRunning = true
    const beganAtMs = performance.now()
    const timeout = new AnswerTimeout(remainingMs + networkGraceMs, () => this.#lease.disconnect())
    try {
      const results = await Promise.all(
        queries.map(async (query) => {
          const result = await this.#lease.client.query(query)
          if (query !== backend) return result
          this.#backend = Number(result.rows[0]?.backend)
          if (this.#isCancelled) this.#cancelStatement()
          return result
        }),
      )
      const rows: Row[] = results.at(-1)?.rows ?? []
      this.isEnded = rows.length < wanted
      this.#rows = Math.min(this.#maxRows, rowsPerBatch(rows))
      return rows
    } finally {
      timeout.end()
      this.#isRunning = false
      this.#scan.time.leftMs -= performance.now() - beganAtMs
    }
  }

  /** The connection is closed afterwards: a late cancellation would end the next statement. */
  cancel(): void {
    if (!this.#isRunning) return
    this.#isCancelled = true
    if (this.#backend !== 0) this.#cancelStatement() // otherwise as soon as the server has named its process
  }

  /** A failed cancellation is ignored: the statement has a time-out too. */
  #cancelStatement(): void {
    const isReusable = true
    this.#executor.run('SELECT pg_cancel_backend($1)', [this.#backend], isReusable).catch(() => undefined)
  }

  /** Releases the connection. After a failure, COMMIT rolls back. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    let broken = this.#isCancelled
    if (this.#isOpen && !broken) {
      // The time of the scan bounds its COMMIT as well: a failed one leaves an aborted transaction.
      const isReusable = false
      await this.#lease.send([toStatement('COMMIT', [], isReusable)]).catch(() => {
        broken = true
      })
    }
    this.#lease.release(broken)
  }
}

function declaration({ sql, parameters }: Scan): pg.QueryConfig {
  return { text: `DECLARE batch NO SCROLL CURSOR FOR ${sql}`, values: [...parameters] }
}

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

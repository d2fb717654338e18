/** Runs statements on PostgreSQL: alone (`PooledExecutor`), or inside a transaction (`PostgresTransaction`). */
import {
  type ChangeListener,
  type Executor,
  type StatementResult,
  StatementTimedOut,
  type Transaction,
} from '../executor.ts'
import { channel } from './change-notifications.ts'
import { translate } from './failure.ts'
import type { Owner } from './fair-limiter.ts'
import type { ConnectionLease, LimitedPool } from './limited-pool.ts'
import { type BoundStatement, begin, commit, toStatement } from './request.ts'

/** Runs each statement on any connection that its owner may have. */
export class PooledExecutor implements Executor {
  readonly dialect = 'postgres'
  readonly #pool: LimitedPool
  readonly #owner: Owner
  readonly #translate: (error: unknown) => unknown

  constructor(pool: LimitedPool, owner: Owner, translated: (error: unknown) => unknown = translate) {
    this.#pool = pool
    this.#owner = owner
    this.#translate = translated
  }

  async run(sql: string, parameters: readonly unknown[], reusable: boolean): Promise<StatementResult> {
    try {
      return await this.#pool.query(this.#owner, toStatement(sql, parameters, reusable))
    } catch (error) {
      throw this.#translate(traced(error))
    }
  }
}

/** A transaction that has taken this long limits its further statements to the remaining time. */
const slowMs = 1000

type Deferred = Parameters<NonNullable<Executor['defer']>>

interface Begun {
  hasBegun: boolean
  timeoutMs: number
}

export class PostgresTransaction implements Transaction {
  readonly dialect = 'postgres'
  readonly listeners: (() => void)[] = []
  readonly #lease: ConnectionLease
  readonly #deferred: Deferred[] = []
  readonly #notify: ChangeListener
  readonly #timeoutMs: number
  readonly #beganAtMs = performance.now()
  #hasBegun: boolean
  /** The server accepts only ROLLBACK now, of the transaction or to a savepoint. */
  #hasFailed = false

  /** @param hasBegun otherwise the first statement begins it @param timeoutMs of all statements together */
  constructor(lease: ConnectionLease, notify: ChangeListener, { hasBegun, timeoutMs }: Begun) {
    this.#hasBegun = hasBegun
    this.#lease = lease
    this.#notify = notify
    this.#timeoutMs = timeoutMs
  }

  /** @throws StatementTimedOut also when the transaction has no remaining time */
  async run(...[sql, parameters, reusable]: Parameters<Executor['run']>): Promise<StatementResult> {
    const elapsedMs = performance.now() - this.#beganAtMs
    if (elapsedMs > slowMs && !this.#hasFailed) await this.#limitStatement(this.#timeoutMs - elapsedMs)
    return this.#send(toStatement(sql, parameters, reusable))
  }

  defer(...statement: Deferred): void {
    this.#deferred.push(statement)
  }

  /** If all statements were deferred, they are sent as one request, which is a transaction without BEGIN and COMMIT. */
  async commit(): Promise<void> {
    if (this.#hasBegun) await this.#send(commit)
    else if (this.#deferred.length > 0) await this.#sendAll([])
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** This instance is notified at the commit; the others, and this one again, by NOTIFY. */
  async announce(change: string): Promise<void> {
    this.afterCommit(() => this.#notify(change))
    await this.run('select pg_notify($1, $2)', [channel, change], true)
  }

  afterCommit(listener: () => void): void {
    this.listeners.push(listener)
  }

  /** Sends the statement, after those that were deferred, before it returns. */
  async #send(statement: BoundStatement): Promise<StatementResult> {
    const first = this.#hasBegun ? [] : [begin]
    this.#hasBegun = true
    const results = await this.#sendAll([statement], first)
    return results.at(-1) ?? { rows: [], affected: 0 }
  }

  async #sendAll(
    last: readonly BoundStatement[],
    first: readonly BoundStatement[] = [],
  ): Promise<StatementResult[]> {
    const deferred = this.#deferred.splice(0)
    const between = deferred.map(([sql, parameters, reusable]) => toStatement(sql, parameters, reusable))
    try {
      const results = await this.#lease.send([...first, ...between, ...last])
      this.#hasFailed = false
      for (const [index, [, , , answered]] of deferred.entries())
        answered?.(results[first.length + index] ?? { rows: [], affected: 0 })
      return results
    } catch (error) {
      this.#hasFailed = true
      throw translate(traced(error))
    }
  }

  async #limitStatement(remainingMs: number): Promise<void> {
    if (remainingMs === Number.POSITIVE_INFINITY) return
    if (remainingMs <= 0) throw new StatementTimedOut('The transaction took too long.')
    await this.#send(toStatement(`SET LOCAL statement_timeout = ${Math.ceil(remainingMs)}`, [], false))
  }
}

/** Gives the error the stack trace of the caller: its own begins where the answer was read from the socket. */
function traced(error: unknown): unknown {
  if (error instanceof Error) Error.captureStackTrace(error)
  return error
}

/** Statements on PostgreSQL, each alone or inside a transaction. */
import { hash } from 'node:crypto'
import type pg from 'pg'
import {
  type ChangeListener,
  type Executor,
  type StatementResult,
  StatementTimedOut,
  type Transaction,
} from '../executor.ts'
import { beginWith } from './begin.ts'
import { channel } from './change-notifications.ts'
import { translate } from './failure.ts'
import type { Owner } from './fair-limiter.ts'
import type { LimitedPool } from './limited-pool.ts'

const names = new Map<string, string>()

/**
 * `pg` keeps a statement prepared on each connection under its name. The name is a digest of the text: behind a pooler,
 * another process may have prepared a statement of the same name.
 */
function nameOf(sql: string): string {
  let name = names.get(sql)
  if (name === undefined) {
    name = hash('sha256', sql, 'base64url')
    names.set(sql, name)
  }
  return name
}

function toQuery(sql: string, parameters: readonly unknown[], reusable: boolean): pg.QueryConfig {
  const values = [...parameters]
  return reusable ? { name: nameOf(sql), text: sql, values } : { text: sql, values }
}

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
      const { rows, rowCount } = await this.#pool.query(this.#owner, toQuery(sql, parameters, reusable))
      return { rows, affected: rowCount ?? 0 }
    } catch (error) {
      throw this.#translate(error)
    }
  }
}

/** A transaction that has taken this long limits its further statements to the remaining time. */
const slowMs = 1000

type Statement = Parameters<Executor['run']>
type Deferred = Parameters<NonNullable<Executor['defer']>>

interface Begun {
  hasBegun: boolean
  timeoutMs: number
}

export class PostgresTransaction implements Transaction {
  readonly dialect = 'postgres'
  readonly listeners: (() => void)[] = []
  readonly #client: pg.Client
  readonly #deferred: Deferred[] = []
  readonly #notify: ChangeListener
  readonly #timeoutMs: number
  readonly #beganAtMs = performance.now()
  #hasBegun: boolean
  /** The server accepts only ROLLBACK now, of the transaction or to a savepoint. */
  #hasFailed = false

  /** @param hasBegun otherwise the first statement begins it @param timeoutMs of all statements together */
  constructor(client: pg.Client, notify: ChangeListener, { hasBegun, timeoutMs }: Begun) {
    this.#hasBegun = hasBegun
    this.#client = client
    this.#notify = notify
    this.#timeoutMs = timeoutMs
  }

  /** @throws StatementTimedOut also when the transaction has no remaining time */
  async run(...statement: Statement): Promise<StatementResult> {
    if (this.#deferred.length === 0) return this.#runInTime(...statement)
    const deferred = this.sendDeferred()
    const own = this.#runInTime(...statement)
    await settleAll([...deferred, own])
    return own
  }

  defer(...statement: Deferred): void {
    this.#deferred.push(statement)
  }

  get hasDeferred(): boolean {
    return this.#deferred.length > 0
  }

  /** Sends deferred statements in their order. @returns their results */
  sendDeferred(): Promise<StatementResult>[] {
    return this.#deferred.splice(0).map(async ([sql, parameters, reusable, answered]) => {
      const result = await this.#runNow(sql, parameters, reusable)
      answered?.(result)
      return result
    })
  }

  /** @throws StatementTimedOut when the transaction has no remaining time */
  async #runInTime(...statement: Statement): Promise<StatementResult> {
    const elapsedMs = performance.now() - this.#beganAtMs
    if (elapsedMs > slowMs && !this.#hasFailed) await this.#limitStatement(this.#timeoutMs - elapsedMs)
    return this.#runNow(...statement)
  }

  /** Sends the statement before it returns, so that later statements follow it. */
  async #runNow(sql: string, parameters: readonly unknown[], reusable: boolean): Promise<StatementResult> {
    try {
      const { rows, rowCount } = await this.#send(toQuery(sql, parameters, reusable))
      this.#hasFailed = false
      return { rows, affected: rowCount ?? 0 }
    } catch (error) {
      this.#hasFailed = true
      throw translate(error)
    }
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

  #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#hasBegun) return this.#client.query(query)
    this.#hasBegun = true
    return beginWith(this.#client, query)
  }

  async #limitStatement(remainingMs: number): Promise<void> {
    if (remainingMs === Number.POSITIVE_INFINITY) return
    if (remainingMs <= 0) throw new StatementTimedOut('The transaction took too long.')
    await this.#runNow(`SET LOCAL statement_timeout = ${Math.ceil(remainingMs)}`, [], false)
  }
}

/**
 * Waits for all results, because a connection with pending results cannot be released.
 * @throws what the first throws
 */
export async function settleAll(answers: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(answers)
  await Promise.all(answers)
}

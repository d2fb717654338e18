/** Bounds the connections to many databases together. Idle connections are closed in favour of other databases. */
import { DatabaseUnavailable } from '../executor.ts'
import type { Limit } from '../limit.ts'

export interface BudgetOptions {
  /** The maximum number of all connections, including idle ones. */
  maxConnections: number
  /** How long a caller waits for a connection before it is refused. */
  waitMs: number
}

/** The pool of one database. */
export interface BudgetedPool<T> {
  /** The maximum for this database. */
  readonly maxConnections: number
  readonly idleCount: number
  takeIdle(): T
  /** Closes the connection that has been idle longest, and then calls `ConnectionBudget.closed`. */
  closeIdle(): void
}

/** The connections of one pool. */
interface Account {
  /** The number of connections that are being opened, in use, idle, or being closed. */
  connections: number
  lastUsedAtMs: number
}

interface Waiter<T> {
  pool: BudgetedPool<T>
  sinceMs: number
  /** @param idle an idle connection; `null`: one may be opened */
  serve(idle: T | null): void
}

export const tenantConnectionLimit: Limit = {
  name: 'connections to the databases of tenants (PostgreSQL)',
  kind: 'permits',
  bounds: {
    instance: 'the first setting',
    database: 'the second setting, at most half of the first, and less while others are in use',
  },
  changedBy: ['TENANT_DATABASE_CONNECTIONS', 'DATABASE_CONNECTIONS'],
  beyond: 'the request waits; after 5 seconds 503 with `Retry-After`',
  metrics: ['tenant_database_connections', 'tenant_database_connection_waiters'],
  page: 'operations/connections.md#sharing-the-connections-to-tenant-databases',
}

/** A connection stays with its database while statements wait there, until another database has waited this long. */
const keepForPoolMs = 50

export class ConnectionBudget<T> {
  readonly #options: BudgetOptions
  readonly #accounts = new Map<BudgetedPool<T>, Account>()
  /** The waiters, in the order of their arrival. */
  readonly #waiting = new Set<Waiter<T>>()
  #connections = 0
  /** Idle connections that are being closed in favour of other databases. */
  #closing = 0
  /** The share of one database. Serving a waiter leaves it as it is, so that it is not computed for each. */
  #share = 0

  constructor(options: BudgetOptions) {
    this.#options = options
  }

  /** The number of connections that are being opened, in use, idle, or being closed. */
  get open(): number {
    return this.#connections
  }

  get idle(): number {
    return [...this.#accounts.keys()].reduce((sum, { idleCount }) => sum + idleCount, 0)
  }

  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * @returns an idle connection, or `null` when the caller may open one, whose end `closed` reports
   * @throws DatabaseUnavailable without a connection in time
   */
  take(pool: BudgetedPool<T>): T | Promise<T | null> {
    if (this.#waiting.size === 0 && pool.idleCount > 0) return pool.takeIdle()
    const { promise, resolve, reject } = Promise.withResolvers<T | null>()
    const waiter: Waiter<T> = {
      pool,
      sinceMs: performance.now(),
      serve: (idle) => {
        clearTimeout(timer)
        this.#waiting.delete(waiter)
        resolve(idle)
      },
    }
    const timer = setTimeout(() => {
      this.#waiting.delete(waiter)
      reject(new DatabaseUnavailable('All connections to the databases of tenants are in use.'))
    }, this.#options.waitMs)
    this.#waiting.add(waiter)
    this.#serve()
    return promise
  }

  /** Reserves a connection that `work` opens and closes itself. @throws DatabaseUnavailable */
  async reserveDuring<R>(work: () => Promise<R>): Promise<R> {
    const none = (): never => {
      throw new Error('No connection is idle.')
    }
    const pool: BudgetedPool<T> = { maxConnections: 1, idleCount: 0, takeIdle: none, closeIdle: none }
    await this.take(pool)
    try {
      return await work()
    } finally {
      this.closed(pool, { forOthers: false })
    }
  }

  /** Reports another idle connection of the pool. */
  released(pool: BudgetedPool<T>): void {
    this.#account(pool).lastUsedAtMs = performance.now()
    this.#serve()
  }

  /** Reports that a connection of the pool was closed, or could not be opened. */
  closed(pool: BudgetedPool<T>, { forOthers }: { forOthers: boolean }): void {
    const account = this.#account(pool)
    account.connections--
    this.#connections--
    if (forOthers) this.#closing--
    if (account.connections === 0) this.#accounts.delete(pool)
    this.#serve()
  }

  /** Serves those who have waited long first, then those whose own pool has an idle connection, then all others. */
  #serve(): void {
    const early = performance.now() - keepForPoolMs
    this.#share = this.#presentShare()
    let awaited = 0
    for (const waiter of this.#waiting) if (waiter.sinceMs <= early) awaited = this.#serveOne(waiter, awaited)
    for (const waiter of this.#waiting) if (this.#mayKeep(waiter)) waiter.serve(waiter.pool.takeIdle())
    for (const waiter of this.#waiting) if (waiter.sinceMs > early) awaited = this.#serveOne(waiter, awaited)
  }

  /**
   * Gives the waiter a connection if one is free. Otherwise the waiter gets the next connection that is being closed and
   * that no earlier waiter gets. If there is none, another close begins.
   * @param awaitedCloses the number of closes that earlier waiters wait for @returns the number including this waiter
   */
  #serveOne(waiter: Waiter<T>, awaitedCloses: number): number {
    const { pool } = waiter
    if (pool.idleCount > 0) waiter.serve(pool.takeIdle())
    else if (!this.#mayHaveMore(pool)) return awaitedCloses
    else if (this.#connections < this.#options.maxConnections) {
      this.#account(pool).connections++
      this.#connections++
      waiter.serve(null)
    } else {
      if (awaitedCloses === this.#closing) this.#closeLeastRecentlyUsed()
      return awaitedCloses + 1
    }
    return awaitedCloses
  }

  /** Whether the waiter's pool may go on using its idle connection, because it has no more than its share. */
  #mayKeep({ pool }: Waiter<T>): boolean {
    return pool.idleCount > 0 && this.#account(pool).connections <= this.#share
  }

  #mayHaveMore(pool: BudgetedPool<T>): boolean {
    const connections = this.#accounts.get(pool)?.connections ?? 0
    return connections < Math.min(pool.maxConnections, this.#share)
  }

  /** At most half of all connections, and less while other databases are in use or awaited. */
  #presentShare(): number {
    const used = [...this.#accounts].filter(([pool, { connections }]) => connections > pool.idleCount)
    const pools = new Set([...used.map(([pool]) => pool), ...[...this.#waiting].map(({ pool }) => pool)])
    return Math.ceil(this.#options.maxConnections / Math.max(2, pools.size))
  }

  #closeLeastRecentlyUsed(): void {
    let oldest: [BudgetedPool<T>, Account] | null = null
    for (const entry of this.#accounts) {
      if (entry[0].idleCount > 0 && !(oldest !== null && oldest[1].lastUsedAtMs <= entry[1].lastUsedAtMs))
        oldest = entry
    }
    if (oldest === null) return
    this.#closing++
    oldest[0].closeIdle()
    this.#share = this.#presentShare()
  }

  #account(pool: BudgetedPool<T>): Account {
    let account = this.#accounts.get(pool)
    if (account === undefined) {
      account = { connections: 0, lastUsedAtMs: performance.now() }
      this.#accounts.set(pool, account)
    }
    return account
  }
}

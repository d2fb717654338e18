/** The connections to one database, within a budget if they share one with other databases. */
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { BudgetedPool, ConnectionBudget } from './budget.ts'
import { type ConnectionConfig, openClient, withTimeout } from './connect.ts'
import type { IdentityCheck } from './identity-check.ts'
import type { Descriptions } from './request.ts'
import type { Sessions } from './session.ts'

export interface PooledConnection {
  readonly client: pg.Client
  readonly descriptions: Descriptions
  /** When the connection was opened, on the clock of `performance.now`. */
  openedAtMs: number
  /** When the last request ended, on the same clock. */
  idleSinceMs: number
}

export type TenantBudget = ConnectionBudget<PooledConnection>

interface Options {
  /** The configuration of each connection. Its `query_timeout` limits the wait for each answer. */
  client: ConnectionConfig
  /** Sets up each new connection. */
  sessions: Sessions
  /** The maximum within a budget. Without a budget, the permits of `FairLimiter` bound the connections. */
  maxConnections: number
  idleMs: number
  /** Checks that each new connection leads to the expected database. */
  identity: IdentityCheck
}

/** A server that no longer responds does not confirm a close either. */
const closeTimeoutMs = 1000
const defaultAnswerTimeoutMs = 60_000

export class ConnectionPool implements BudgetedPool<PooledConnection> {
  readonly maxConnections: number
  readonly answerTimeoutMs: number
  readonly #budget: TenantBudget | null
  readonly #options: Options
  /** Idle connections, the longest idle first. */
  readonly #idle: PooledConnection[] = []
  /** Waiters in the order of their arrival. The next released or opened connection serves the first. */
  readonly #waiting: PromiseWithResolvers<PooledConnection>[] = []
  #openingForWaiting = 0
  readonly #closing = new Set<Promise<void>>()
  /** Includes connections that are being opened. */
  #inUse = 0
  #timer: NodeJS.Timeout | null = null
  #ended: PromiseWithResolvers<void> | null = null

  constructor(budget: TenantBudget | null, options: Options) {
    this.#budget = budget
    this.#options = options
    this.maxConnections = options.maxConnections
    this.answerTimeoutMs = Number(options.client.query_timeout ?? defaultAnswerTimeoutMs)
  }

  get idleCount(): number {
    return this.#idle.length
  }

  takeIdle(): PooledConnection {
    const connection = this.#idle.pop()
    if (connection === undefined) throw new Error('No connection is idle.')
    return connection
  }

  closeIdle(): void {
    const connection = this.#idle.shift()
    if (connection !== undefined) this.#close(connection.client, true)
  }

  /** Returns without waiting when a connection is idle. The caller returns it by `release`. */
  acquire(): PooledConnection | Promise<PooledConnection> {
    if (this.#budget !== null) return this.#acquireWithin(this.#budget)
    const idle = this.#idle.pop()
    if (idle === undefined) return this.#wait()
    this.#inUse++
    return idle
  }

  /** @param broken closes the connection instead of keeping it */
  release(connection: PooledConnection, broken: boolean): void {
    this.#inUse--
    if (broken) this.#close(connection.client, false)
    else this.#offer(connection)
    this.#settle()
  }

  /** Waits for the connections in use. */
  async end(): Promise<void> {
    this.#ended ??= Promise.withResolvers()
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const { client } of this.#idle.splice(0)) this.#close(client, false)
    this.#settle()
    await this.#ended.promise
    await Promise.all(this.#closing)
  }

  #acquireWithin(budget: TenantBudget): PooledConnection | Promise<PooledConnection> {
    const taken = budget.take(this)
    return taken instanceof Promise ? taken.then((idle) => this.#use(idle)) : this.#use(taken)
  }

  /** @param idle `null`: a connection may be opened */
  #use(idle: PooledConnection | null): PooledConnection | Promise<PooledConnection> {
    if (idle === null) return this.#open()
    this.#inUse++
    return idle
  }

  /**
   * Waits for an opened or a released connection, whichever comes first: opening takes hundreds of milliseconds on a
   * busy server, and most statements release their connection sooner.
   */
  #wait(): Promise<PooledConnection> {
    const waiter = Promise.withResolvers<PooledConnection>()
    this.#waiting.push(waiter)
    if (this.#openingForWaiting < this.#waiting.length) void this.#openForWaiting()
    return waiter.promise
  }

  async #openForWaiting(): Promise<void> {
    this.#openingForWaiting++
    try {
      const connection = await this.#open()
      this.#openingForWaiting--
      this.release(connection, false)
    } catch (error) {
      this.#openingForWaiting--
      if (this.#waiting.length > this.#openingForWaiting) this.#waiting.shift()?.reject(error)
    }
  }

  /** Serves the first waiter; without waiters the connection becomes idle. */
  #offer(connection: PooledConnection): void {
    const waiter = this.#waiting.shift()
    if (waiter !== undefined) {
      this.#inUse++
      waiter.resolve(connection)
      return
    }
    if (this.#ended !== null) {
      this.#close(connection.client, false)
      return
    }
    connection.idleSinceMs = performance.now()
    this.#idle.push(connection)
    this.#timer ??= setTimeout(() => this.#closeUnused(), this.#options.idleMs).unref()
    this.#budget?.released(this)
  }

  async #open(): Promise<PooledConnection> {
    const { client: config, identity, sessions } = this.#options
    const query_timeout = this.answerTimeoutMs
    let client: pg.Client | null = null
    this.#inUse++
    try {
      if (this.#ended !== null) throw new Error('Cannot use a pool after calling end on the pool')
      const opened = await identity.connecting(openClient({ ...config, query_timeout: 0 }))
      client = opened
      const descriptions: Descriptions = sessions.isPooled ? null : new Map()
      const connection = { client: opened, descriptions, openedAtMs: performance.now(), idleSinceMs: 0 }
      // A connection that breaks while idle is removed; while in use, its present or next statement fails.
      opened.on('error', () => this.#lose(connection))
      opened.on('end', () => this.#lose(connection))
      await sessions.prepare(opened)
      await identity.check((text) => opened.query(withTimeout(text, query_timeout)))
      return connection
    } catch (error) {
      this.#inUse--
      this.#close(client, false)
      this.#settle()
      throw error
    }
  }

  #lose(connection: PooledConnection): void {
    const index = this.#idle.indexOf(connection)
    if (index < 0) return
    this.#idle.splice(index, 1)
    this.#close(connection.client, false)
  }

  #closeUnused(): void {
    const early = performance.now() - this.#options.idleMs
    while ((this.#idle[0]?.idleSinceMs ?? Number.POSITIVE_INFINITY) <= early) {
      const connection = this.#idle.shift()
      if (connection !== undefined) this.#close(connection.client, false)
    }
    const [oldest] = this.#idle
    this.#timer =
      oldest === undefined
        ? null
        : setTimeout(() => this.#closeUnused(), Math.ceil(oldest.idleSinceMs - early)).unref()
  }

  /** @param client `null` for one that could not be opened */
  #close(client: pg.Client | null, forOthers: boolean): void {
    const closing = Promise.race([
      client?.end().catch(() => undefined),
      delay(closeTimeoutMs, undefined, { ref: false }),
    ]).then(() => {
      this.#closing.delete(closing)
      this.#budget?.closed(this, { forOthers })
    })
    this.#closing.add(closing)
  }

  /** Lets `end` return when no connection is in use any more. */
  #settle(): void {
    if (this.#inUse === 0) this.#ended?.resolve()
  }
}

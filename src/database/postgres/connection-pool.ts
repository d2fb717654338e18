/** The connections to one database; within a budget, where they share one with those to other databases. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { prepareBegin } from './begin.ts'
import type { BudgetMember, ConnectionBudget } from './budget.ts'
import { connect } from './connect.ts'

export interface Connection {
  readonly client: pg.Client
  /** Both on the clock of `performance.now`. */
  openedAtMs: number
  idleSinceMs: number
}

export type TenantBudget = ConnectionBudget<Connection>

interface Options {
  client: pg.ClientConfig
  /** With a budget; without one nobody takes more than may be open. */
  most: number
  idleMs: number
}

/** A server that has fallen silent does not answer a farewell either. */
const farewellMs = 1000

export class ConnectionPool implements BudgetMember<Connection> {
  readonly most: number
  readonly #budget: TenantBudget | null
  readonly #options: Options
  /** The longest idle first. */
  readonly #idle: Connection[] = []
  /** Served in their order by the connection that is there first: one given back, or one just opened. */
  readonly #waiting: PromiseWithResolvers<Connection>[] = []
  #openingForWaiting = 0
  readonly #closing = new Set<Promise<void>>()
  /** Those being opened included. */
  #inUse = 0
  #timer: NodeJS.Timeout | null = null
  #ended: PromiseWithResolvers<void> | null = null

  constructor(budget: TenantBudget | null, options: Options) {
    this.#budget = budget
    this.#options = options
    this.most = options.most
  }

  get idleCount(): number {
    return this.#idle.length
  }

  takeIdle(): Connection {
    const connection = this.#idle.pop()
    if (connection === undefined) throw new Error('No connection is idle.')
    return connection
  }

  closeIdle(): void {
    const connection = this.#idle.shift()
    if (connection !== undefined) this.#close(connection.client, true)
  }

  /** To be given back with `release`. Without waiting where one is idle. */
  acquire(): Connection | Promise<Connection> {
    if (this.#budget !== null) return this.#acquireWithin(this.#budget)
    const idle = this.#idle.pop()
    if (idle === undefined) return this.#wait()
    this.#inUse++
    return idle
  }

  /** @param broken it is closed instead of kept */
  release(connection: Connection, broken: boolean): void {
    this.#inUse--
    if (broken) this.#close(connection.client, false)
    else this.#offer(connection)
    this.#settle()
  }

  /** Waits for those in use. */
  async end(): Promise<void> {
    this.#ended ??= Promise.withResolvers()
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const { client } of this.#idle.splice(0)) this.#close(client, false)
    this.#settle()
    await this.#ended.promise
    await Promise.all(this.#closing)
  }

  #acquireWithin(budget: TenantBudget): Connection | Promise<Connection> {
    const taken = budget.take(this)
    return taken instanceof Promise ? taken.then((idle) => this.#use(idle)) : this.#use(taken)
  }

  /** @param idle `null`: one may be opened */
  #use(idle: Connection | null): Connection | Promise<Connection> {
    if (idle === null) return this.#open()
    this.#inUse++
    return idle
  }

  /** Opening takes hundreds of milliseconds on a busy server, and most statements give their connection back sooner. */
  #wait(): Promise<Connection> {
    const waiter = Promise.withResolvers<Connection>()
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

  /** To the first who waits; it is idle when nobody does. */
  #offer(connection: Connection): void {
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

  async #open(): Promise<Connection> {
    const client = new pg.Client(this.#options.client)
    const connection = { client, openedAtMs: 0, idleSinceMs: 0 }
    // One that breaks while idle is forgotten; while it is in use the running statement fails, or the next one.
    client.on('error', () => this.#lose(connection))
    client.on('end', () => this.#lose(connection))
    this.#inUse++
    try {
      if (this.#ended !== null) throw new Error('Cannot use a pool after calling end on the pool')
      await connect(client)
      connection.openedAtMs = performance.now()
      await prepareBegin(client)
      return connection
    } catch (error) {
      this.#inUse--
      this.#close(client, false)
      this.#settle()
      throw error
    }
  }

  #lose(connection: Connection): void {
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

  #close(client: pg.Client, forOthers: boolean): void {
    const closing = Promise.race([
      client.end().catch(() => undefined),
      delay(farewellMs, undefined, { ref: false }),
    ]).then(() => {
      this.#closing.delete(closing)
      this.#budget?.closed(this, { forOthers })
    })
    this.#closing.add(closing)
  }

  #settle(): void {
    if (this.#inUse === 0) this.#ended?.resolve()
  }
}

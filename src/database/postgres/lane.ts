/** The connections to one database, within a budget that it shares with others. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { ConnectionBudget, Line } from './budget.ts'

/** Of one connection, or of any. */
export interface Queries {
  query(query: pg.QueryConfig): Promise<pg.QueryResult>
}

export interface Connection extends Queries {
  /** @param broken it is closed instead of kept */
  release(broken?: Error): void
}

/** What `pg.Pool` offers, as far as it is used. */
export interface Connections extends Queries {
  connect(): Promise<Connection>
  end(): Promise<void>
}

export type TenantBudget = ConnectionBudget<pg.Client>

interface Options {
  client: pg.ClientConfig
  most: number
  idleMs: number
}

/** A server that has fallen silent does not answer a farewell either. */
const farewellMs = 1000

export class Lane implements Connections, Line<pg.Client> {
  readonly most: number
  readonly #budget: TenantBudget
  readonly #options: Options
  /** The longest idle first. */
  readonly #idle = new Map<pg.Client, NodeJS.Timeout>()
  readonly #closing = new Set<Promise<void>>()
  readonly #inUse = new Set<pg.Client>()
  #ended: PromiseWithResolvers<void> | null = null

  constructor(budget: TenantBudget, options: Options) {
    this.#budget = budget
    this.#options = options
    this.most = options.most
  }

  get idleCount(): number {
    return this.#idle.size
  }

  takeIdle(): pg.Client {
    const client = [...this.#idle.keys()].at(-1)
    if (client === undefined) throw new Error('No connection is idle.')
    this.#forget(client)
    return client
  }

  closeIdle(): void {
    const [client] = this.#idle.keys()
    if (client !== undefined) this.#close(client, true)
  }

  async connect(): Promise<Connection> {
    const client = (await this.#budget.take(this)) ?? (await this.#open())
    this.#inUse.add(client)
    return {
      query: (query) => client.query(query),
      release: (broken) => this.#release(client, broken),
    }
  }

  async query(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const connection = await this.connect()
    try {
      const result = await connection.query(query)
      connection.release()
      return result
    } catch (error) {
      // What the server has refused by a rule leaves the connection as it was; for anything else there is a new one.
      const refused = error instanceof pg.DatabaseError && error.severity === 'ERROR'
      connection.release(refused ? undefined : toError(error))
      throw error
    }
  }

  /** Waits for those in use. */
  async end(): Promise<void> {
    this.#ended ??= Promise.withResolvers()
    for (const client of this.#idle.keys()) this.#close(client, false)
    this.#settle()
    await this.#ended.promise
    await Promise.all(this.#closing)
  }

  async #open(): Promise<pg.Client> {
    const client = new pg.Client(this.#options.client)
    // One that breaks while idle is forgotten; while it is in use the running statement fails, or the next one.
    client.on('error', () => this.#idle.has(client) && this.#close(client, false))
    client.on('end', () => this.#idle.has(client) && this.#close(client, false))
    try {
      if (this.#ended !== null) throw new Error('Cannot use a pool after calling end on the pool')
      await client.connect()
      return client
    } catch (error) {
      this.#close(client, false)
      throw error
    }
  }

  #release(client: pg.Client, broken?: Error): void {
    if (!this.#inUse.delete(client)) return
    if (broken !== undefined || this.#ended !== null) {
      this.#close(client, false)
      this.#settle()
      return
    }
    const timer = setTimeout(() => this.#close(client, false), this.#options.idleMs).unref()
    this.#idle.set(client, timer)
    this.#budget.released(this)
  }

  #close(client: pg.Client, forOthers: boolean): void {
    this.#forget(client)
    const closing = Promise.race([
      client.end().catch(() => undefined),
      delay(farewellMs, undefined, { ref: false }),
    ]).then(() => {
      this.#closing.delete(closing)
      this.#budget.closed(this, { forOthers })
    })
    this.#closing.add(closing)
  }

  #forget(client: pg.Client): void {
    clearTimeout(this.#idle.get(client))
    this.#idle.delete(client)
  }

  #settle(): void {
    if (this.#inUse.size === 0) this.#ended?.resolve()
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

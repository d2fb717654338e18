/** Connections shared among owners: each use requires a permit. */
import type pg from 'pg'
import type { StatementResult } from '../executor.ts'
import type { ConnectionPool, PooledConnection } from './connection-pool.ts'
import { endsConnection, endsSessions } from './failure.ts'
import type { FairLimiter, Kind, Owner, Permit } from './fair-limiter.ts'
import { type BoundStatement, send } from './request.ts'

export interface ConnectionLease {
  readonly client: pg.Client
  /** @throws what `pg` throws */
  send(statements: readonly BoundStatement[]): Promise<StatementResult[]>
  /** Ends the connection at once: statements that wait for an answer fail. */
  disconnect(): void
  /** @param broken closes the connection instead of keeping it */
  release(broken: boolean): void
}

/** Limits the rate of new sessions while a server stays read-only. */
const renewEveryMs = 500

export class LimitedPool {
  readonly #pool: ConnectionPool
  readonly #limiter: FairLimiter
  /** Connections that are older than this moment, by `performance.now`, are replaced. */
  #staleBeforeMs = 0

  constructor(pool: ConnectionPool, limiter: FairLimiter) {
    this.#pool = pool
    this.#limiter = limiter
  }

  /**
   * Runs one statement, and repeats it once if the session was stale: it then had no effect.
   * @throws what `pg` throws
   */
  async query(owner: Owner, statement: BoundStatement): Promise<StatementResult> {
    try {
      return await this.#queryOnce(owner, statement)
    } catch (error) {
      if (!endsSessions(error)) throw error
      this.renew()
      return this.#queryOnce(owner, statement)
    }
  }

  async lease(owner: Owner, kind: Kind): Promise<ConnectionLease> {
    const acquired = this.#limiter.acquire(owner, kind)
    const permit = acquired instanceof Promise ? await acquired : acquired
    try {
      const opened = this.#pool.acquire()
      const connection = opened instanceof Promise ? await opened : opened
      const fresh = connection.openedAtMs < this.#staleBeforeMs ? await this.#replace(connection) : connection
      return new PoolLease(this.#pool, this.#limiter, permit, fresh)
    } catch (error) {
      this.#limiter.release(permit)
      throw error
    }
  }

  /**
   * Replaces the present connections before their next use. A session that began on a read-only server stays read-only,
   * and a plan from before a migration stays prepared.
   */
  renew(): void {
    const now = performance.now()
    if (now - this.#staleBeforeMs > renewEveryMs || this.#staleBeforeMs === 0) this.#staleBeforeMs = now
  }

  async #queryOnce(owner: Owner, statement: BoundStatement): Promise<StatementResult> {
    const lease = await this.lease(owner, 'read')
    let broken = false
    try {
      const [result] = await lease.send([statement])
      return result ?? { rows: [], affected: 0 }
    } catch (error) {
      broken = endsConnection(error)
      throw error
    } finally {
      lease.release(broken)
    }
  }

  async #replace(stale: PooledConnection): Promise<PooledConnection> {
    for (let connection = stale; ; ) {
      this.#pool.release(connection, true)
      connection = await this.#pool.acquire()
      if (connection.openedAtMs >= this.#staleBeforeMs) return connection
    }
  }

  end(): Promise<void> {
    return this.#pool.end()
  }
}

class PoolLease implements ConnectionLease {
  readonly #pool: ConnectionPool
  readonly #limiter: FairLimiter
  readonly #permit: Permit
  readonly #connection: PooledConnection

  constructor(pool: ConnectionPool, limiter: FairLimiter, permit: Permit, connection: PooledConnection) {
    this.#pool = pool
    this.#limiter = limiter
    this.#permit = permit
    this.#connection = connection
  }

  get client(): pg.Client {
    return this.#connection.client
  }

  send(statements: readonly BoundStatement[]): Promise<StatementResult[]> {
    return send(this.#connection, statements, this.#pool.answerTimeoutMs)
  }

  disconnect(): void {
    const { connection } = this.client as unknown as { connection: pg.Connection } // its types leave it out
    connection.stream.destroy()
  }

  release(broken: boolean): void {
    this.#pool.release(this.#connection, broken)
    this.#limiter.release(this.#permit)
  }
}

/** The database interface on PostgreSQL: pools for statements and for scans, a probe, and change notifications. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import {
  type ChangeListener,
  type ConnectionUsage,
  type Database,
  type DatabaseIdentity,
  DatabaseUnavailable,
  type Executor,
  type Row,
  type ScanOptions,
  type Transaction,
  type TransactionOptions,
} from '../executor.ts'
import type { Limit } from '../limit.ts'
import { WriteCheck } from '../write-check.ts'
import { ChangeNotifications } from './change-notifications.ts'
import type { ConnectionConfig } from './connect.ts'
import { ConnectionPool, type TenantBudget } from './connection-pool.ts'
import { endsConnection, endsSessions, isResourceFailure, translate } from './failure.ts'
import { FairLimiter, type Kind, type Owner } from './fair-limiter.ts'
import { IdentityCheck } from './identity-check.ts'
import { type ConnectionLease, LimitedPool } from './limited-pool.ts'
import { Probe } from './probe.ts'
import { toStatement } from './request.ts'
import { CursorScans } from './scan.ts'
import { type SessionOptions, Sessions } from './session.ts'
import { PooledExecutor, PostgresTransaction } from './statement.ts'
import { types } from './types.ts'

export interface PostgresOptions extends Omit<SessionOptions, 'isPooled'> {
  maxConnections: number
  connectTimeoutMs: number
  /** The address of the server itself, if `connectionString` is that of a pooler: LISTEN needs a session of its own. */
  directUrl?: string
  /** Bounds the connections to several databases together. The connection for notifications is not counted. */
  budget?: TenantBudget
}

export const defaultTimeouts = { connectTimeoutMs: 5000, statementTimeoutMs: 30_000, lockTimeoutMs: 5000 }

/** The server ends a statement that takes too long. If it does not respond, the client gives up this much later. */
const networkGraceMs = 1000
const idleMs = 30_000
/** Written by the readiness check after a failure: about 64 KiB. */
const checkRows = 1800

/** @param connectionString `postgres://…`; the first statement connects */
export function openPostgres(connectionString: string, options: PostgresOptions): Database {
  return new PostgresDatabase(connectionString, options)
}

class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly executor: Executor
  readonly probe: Probe
  readonly #limiters: { statements: FairLimiter; scans: FairLimiter }
  readonly #pool: LimitedPool
  readonly #scans: CursorScans
  readonly #notifications: ChangeNotifications
  readonly #requestTimeoutMs: number
  readonly #identity = new IdentityCheck()
  readonly #writeCheck = new WriteCheck(() => this.#writeAndRemove())
  readonly #translate = (error: unknown): unknown => this.#translateAndRecord(error)

  constructor(connectionString: string, options: PostgresOptions) {
    const client: ConnectionConfig = {
      connectionString,
      types,
      application_name: 'tenantry',
      connectionTimeoutMillis: options.connectTimeoutMs,
      query_timeout: options.statementTimeoutMs + networkGraceMs,
      pipeline: true,
      keepAlive: true,
    }
    const { budget = null, directUrl = connectionString, maxConnections } = options
    const session = { ...options, isPooled: options.directUrl !== undefined }
    const maxScans = maxScansWith(maxConnections)
    const limiters = { statements: statementLimiter(options), scans: scanLimiter(maxScans) }
    this.#limiters = limiters
    const pooled = { client, idleMs, identity: this.#identity, sessions: new Sessions(client, session) }
    this.#pool = new LimitedPool(
      new ConnectionPool(budget, { ...pooled, maxConnections }),
      limiters.statements,
    )
    this.executor = new PooledExecutor(this.#pool, null, this.#translate)
    const scanPool = new ConnectionPool(budget, { ...pooled, maxConnections: maxScans })
    this.#scans = new CursorScans(new LimitedPool(scanPool, limiters.scans), this.executor)
    this.probe = new Probe(client, session)
    this.#notifications = new ChangeNotifications({ ...client, connectionString: directUrl })
    this.#requestTimeoutMs = options.statementTimeoutMs
  }

  executorFor(owner: string): Executor {
    return new PooledExecutor(this.#pool, owner, this.#translate)
  }

  transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    options: TransactionOptions = {},
  ): Promise<T> {
    const { owner = null } = options
    const timeoutMs = owner === null ? Number.POSITIVE_INFINITY : this.#requestTimeoutMs
    return this.#runTransaction({ begin: null, owner, kind: 'write', timeoutMs }, work)
  }

  snapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
    return this.#runTransaction(
      { begin, owner: null, kind: 'read', timeoutMs: Number.POSITIVE_INFINITY },
      work,
    )
  }

  scan(sql: string, parameters: readonly unknown[], options: ScanOptions): AsyncIterable<Row[]> {
    return this.#scans.read(sql, parameters, options)
  }

  connectionUsage(): ConnectionUsage[] {
    const { statements, scans } = this.#limiters
    return [
      ...(['tenant', 'service'] as const).flatMap((user) =>
        (['read', 'write'] as const).map((use) => ({ user, use, ...statements.usage(user, use) })),
      ),
      { user: 'tenant', use: 'scan', ...scans.usage('tenant', 'read') },
    ]
  }

  onChange(listener: ChangeListener): void {
    this.#notifications.onChange(listener)
  }

  readonly isDamaged = false

  get isLost(): boolean {
    return this.#identity.isLost
  }

  requireIdentity(identity: DatabaseIdentity): void {
    this.#identity.require(identity)
  }

  /**
   * A session is read-only on a standby, and on a server that was set read-only. Reading that setting takes no lock,
   * row or transaction number. Only a write detects a full disk; it is tried after a statement has failed for lack of
   * resources.
   */
  async check(): Promise<void> {
    await this.#identity.check((sql) => this.probe.run(sql, []))
    if (await this.#isReadOnly()) {
      this.#pool.renew()
      await this.probe.renew()
      if (await this.#isReadOnly()) throw new DatabaseUnavailable('PostgreSQL is read-only.')
    }
    await this.#writeCheck.run()
  }

  /** Creates and drops a table in one transaction. Instances do not wait for each other. */
  async #writeAndRemove(): Promise<void> {
    const name = `write_check_${randomBytes(8).toString('hex')}`
    const create = `CREATE TABLE ${name} AS SELECT generate_series(1, ${checkRows}) AS number`
    await this.probe.run(`${create}; DROP TABLE ${name}`, [])
  }

  #translateAndRecord(error: unknown): unknown {
    if (isResourceFailure(originOf(error))) this.#writeCheck.require()
    return translate(error)
  }

  async #isReadOnly(): Promise<boolean> {
    const { rows } = await this.probe.run("SELECT current_setting('transaction_read_only') AS read_only", [])
    return rows[0]?.['read_only'] === 'on'
  }

  async close(): Promise<void> {
    await this.#notifications.close()
    await Promise.all([this.#pool.end(), this.#scans.end(), this.probe.close()])
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #runTransaction<T>(
    { begin, owner, kind, timeoutMs }: TransactionScope,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const lease = await this.#pool.lease(owner, kind).catch((error: unknown) => {
      throw this.#translate(error)
    })
    let broken = false
    const notify = (change: string) => this.#notifications.notify(change)
    const transaction = new PostgresTransaction(lease, notify, { hasBegun: begin !== null, timeoutMs })
    try {
      if (begin !== null) await lease.send([toStatement(begin, [], false)])
      const value = await work(transaction)
      await transaction.commit()
      for (const listener of transaction.listeners) listener()
      return value
    } catch (error) {
      const known = this.#translate(error)
      if (known instanceof DatabaseUnavailable && endsSessions(known.cause)) this.#pool.renew()
      broken = isLost(known) || (transaction.hasBegun && !(await rollBack(lease)))
      throw known
    } finally {
      lease.release(broken)
    }
  }
}

interface TransactionScope {
  /** The statement that begins it; `null`: BEGIN is sent together with the first statement. */
  begin: string | null
  owner: Owner
  kind: Kind
  /** The limit of all statements together. */
  timeoutMs: number
}

/** The error of `pg` behind a translated error. */
function originOf(error: unknown): unknown {
  return error instanceof DatabaseUnavailable ? error.cause : error
}

/** Whether the connection is lost. */
function isLost(error: unknown): boolean {
  const origin = originOf(error)
  if (origin instanceof pg.DatabaseError) return endsConnection(origin)
  return error instanceof DatabaseUnavailable && origin !== undefined
}

function rollBack(lease: ConnectionLease): Promise<boolean> {
  return lease.send([toStatement('ROLLBACK', [], false)]).then(
    () => true,
    () => false,
  )
}

const maxWaiting = 10_000
const maxWaitingPerOwner = 1000
const scanQueue = { maxWaiting: 64, maxWaitingPerOwner: 16, maxWaitMs: 5000 }

export const statementLimit: Limit = {
  name: 'statements and transactions in the database of the service (PostgreSQL)',
  kind: 'permits',
  bounds: {
    instance: `the setting; ${maxWaiting} may wait`,
    tenant: `twice as many as are free; ${maxWaitingPerOwner} may wait`,
  },
  changedBy: ['DATABASE_CONNECTIONS'],
  beyond: 'the request waits; after 5 seconds, and beyond those that may wait, 503 with `Retry-After`',
  metrics: ['database_connection_waiters', 'database_connection_refusals_total'],
  page: 'operations/connections.md#sharing-the-database-of-the-service',
}

export const scanLimit: Limit = {
  name: 'scans in a database (PostgreSQL)',
  kind: 'permits',
  bounds: {
    instance: `a quarter of the setting, two to four; ${scanQueue.maxWaiting} may wait`,
    tenant: `as many as are free; ${scanQueue.maxWaitingPerOwner} may wait`,
  },
  changedBy: ['DATABASE_CONNECTIONS'],
  beyond: 'the request waits; after 5 seconds, and beyond those that may wait, 503 with `Retry-After`',
  metrics: ['database_connection_waiters', 'database_connection_refusals_total'],
  page: 'operations/connections.md#sharing-the-database-of-the-service',
}

/** Reserves a tenth of the connections for the service, and none of fewer than six. */
function statementLimiter({ maxConnections, connectTimeoutMs }: PostgresOptions): FairLimiter {
  const reserve = maxConnections < 6 ? 0 : Math.max(1, Math.floor(maxConnections / 10))
  const queue = { maxWaiting, maxWaitingPerOwner, maxWaitMs: connectTimeoutMs }
  return new FairLimiter({ permits: maxConnections, reserve, share: 2, ...queue })
}

/** Connections for scans are additional to those for other statements. */
function maxScansWith(maxConnections: number): number {
  return Math.min(4, Math.max(2, Math.floor(maxConnections / 4)))
}

function scanLimiter(permits: number): FairLimiter {
  return new FairLimiter({ permits, reserve: 0, share: 1, ...scanQueue })
}

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import {
  type ChangeListener,
  type ConnectionUsage,
  type Database,
  DatabaseUnavailable,
  type Executor,
  type Row,
  type ScanOptions,
  type Transaction,
  type TransactionOptions,
} from '../executor.ts'
import { WriteProof } from '../write-proof.ts'
import { ChangeNotifications } from './change-notifications.ts'
import { ConnectionPool, type TenantBudget } from './connection-pool.ts'
import { endsConnection, endsSessions, isResourceFailure, translate } from './failure.ts'
import { FairLimiter, type Kind, type Owner } from './fair-limiter.ts'
import { LimitedPool } from './limited-pool.ts'
import { Probe } from './probe.ts'
import { CursorScans, scanSettings } from './scan.ts'
import { allOf, PooledExecutor, PostgresTransaction } from './statement.ts'
import { types } from './types.ts'

export interface PostgresOptions {
  maxConnections: number
  connectTimeoutMs: number
  statementTimeoutMs: number
  /** For each lock that a statement waits for. */
  lockTimeoutMs?: number
  /** That of many databases together; the connection that hears of changes is beside it. */
  budget?: TenantBudget
  /** What an index has in order is read in that order, whatever the statistics say: those of a table just filled lag. */
  byIndex?: boolean
}

/**
 * A plan outlives the size that the table had when it was made. No statement reads a table from end to end that an
 * index leads into. Before PostgreSQL 18 what is off costs so much that it would compile the others (`jit`).
 */
export const defaultTimeouts = { connectTimeoutMs: 5000, statementTimeoutMs: 30_000, lockTimeoutMs: 5000 }

const byAnyIndex = ['-c enable_seqscan=off', '-c jit=off']
const inIndexOrder = ['-c enable_bitmapscan=off', '-c enable_sort=off']

/** The server ends a statement that takes too long; when it falls silent, this much later we do. */
const networkGraceMs = 1000
const idleMs = 30_000
/** Written by readiness after a failure: about 64 KiB. */
const proofRows = 1800

/** @param connectionString `postgres://…`; nothing is connected before the first statement */
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
  readonly #proof = new WriteProof(() => this.#writeAndRemove())
  readonly #translate = (error: unknown): unknown => this.#translateAndNote(error)

  constructor(connectionString: string, options: PostgresOptions) {
    const startup = ['-c timezone=UTC', ...byAnyIndex, ...(options.byIndex === true ? inIndexOrder : [])]
    const listening: pg.ClientConfig = {
      connectionString,
      types,
      application_name: 'tenantry',
      options: startup.join(' '),
      connectionTimeoutMillis: options.connectTimeoutMs,
      query_timeout: options.statementTimeoutMs + networkGraceMs,
      pipeline: true,
      keepAlive: true,
    }
    const client: pg.ClientConfig = {
      ...listening,
      statement_timeout: options.statementTimeoutMs,
      lock_timeout: options.lockTimeoutMs,
    }
    const { budget = null, maxConnections } = options
    const maxScans = maxScansWith(maxConnections)
    const limiters = { statements: statementLimiter(options), scans: scanLimiter(maxScans) }
    this.#limiters = limiters
    const pool = new ConnectionPool(budget, { client, maxConnections: maxConnections, idleMs })
    this.#pool = new LimitedPool(pool, limiters.statements)
    this.executor = new PooledExecutor(this.#pool, null, this.#translate)
    const scanning = { ...client, pipeline: true, options: [...startup, ...scanSettings].join(' ') }
    const scanPool = new ConnectionPool(budget, { client: scanning, maxConnections: maxScans, idleMs })
    this.#scans = new CursorScans(new LimitedPool(scanPool, limiters.scans), this.executor)
    this.probe = new Probe(client)
    this.#notifications = new ChangeNotifications(listening)
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
    return this.#inside({ begin: null, owner, kind: 'write', timeoutMs }, work)
  }

  snapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
    return this.#inside({ begin, owner: null, kind: 'read', timeoutMs: Number.POSITIVE_INFINITY }, work)
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

  /**
   * A session is read-only on a standby, and where an administrator or a full disk has made the server so: asking it
   * costs no lock, no row and no transaction number, and any statement that writes would be refused. A full disk is
   * found by writing alone, which is done where a statement has met something like it.
   */
  async check(): Promise<void> {
    if (await this.#isReadOnly()) {
      this.#pool.renew()
      await this.probe.renew()
      if (await this.#isReadOnly()) throw new DatabaseUnavailable('PostgreSQL is read-only.')
    }
    await this.#proof.prove()
  }

  /** One transaction, in which a table takes room on the disk that nobody sees. Instances do not wait for each other. */
  async #writeAndRemove(): Promise<void> {
    const name = `write_proof_${randomBytes(8).toString('hex')}`
    const create = `CREATE TABLE ${name} AS SELECT generate_series(1, ${proofRows}) AS number`
    await this.probe.run(`${create}; DROP TABLE ${name}`, [])
  }

  #translateAndNote(error: unknown): unknown {
    if (isResourceFailure(originOf(error))) this.#proof.require()
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

  async #inside<T>(
    { begin, owner, kind, timeoutMs }: TransactionScope,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const lease = await this.#pool.lease(owner, kind).catch((error: unknown) => {
      throw this.#translate(error)
    })
    const { client } = lease
    let broken = false
    const tell = (change: string) => this.#notifications.notify(change)
    const transaction = new PostgresTransaction(client, tell, { hasBegun: begin !== null, timeoutMs })
    try {
      if (begin !== null) await client.query({ text: begin })
      const value = await work(transaction)
      if (transaction.hasBegun || transaction.hasDeferred) await commit(client, transaction)
      for (const listener of transaction.listeners) listener()
      return value
    } catch (error) {
      const known = this.#translate(error)
      if (known instanceof DatabaseUnavailable && endsSessions(known.cause)) this.#pool.renew()
      broken = isLost(known) || (transaction.hasBegun && !(await rollBack(client)))
      throw known
    } finally {
      lease.release(broken)
    }
  }
}

interface TransactionScope {
  /** `null`: with its first statement. */
  begin: string | null
  owner: Owner
  kind: Kind
  /** For all statements together. */
  timeoutMs: number
}

/** What `pg` has thrown, where that was translated. */
function originOf(error: unknown): unknown {
  return error instanceof DatabaseUnavailable ? error.cause : error
}

/** Whether the connection is: nothing of it is known to the server, or to us. */
function isLost(error: unknown): boolean {
  const origin = originOf(error)
  if (origin instanceof pg.DatabaseError) return endsConnection(origin)
  return error instanceof DatabaseUnavailable && origin !== undefined
}

/** The server answers with ROLLBACK where a statement had failed. */
async function commit(client: pg.Client, transaction: PostgresTransaction): Promise<void> {
  const answers = [...transaction.sendDeferred(), client.query({ text: 'COMMIT' })]
  await allOf(answers)
  const { command } = (await answers.at(-1)) as pg.QueryResult // that of COMMIT
  if (command !== 'COMMIT') throw new Error('A statement of the transaction failed, and nobody was told.')
}

function rollBack(client: pg.Client): Promise<boolean> {
  return client.query({ text: 'ROLLBACK' }).then(
    () => true,
    () => false,
  )
}

const maxWaiting = 10_000
const maxWaitingPerOwner = 1000

/** Of few connections none can be kept for the service alone. */
function statementLimiter({ maxConnections, connectTimeoutMs }: PostgresOptions): FairLimiter {
  const reserve = maxConnections < 6 ? 0 : Math.max(1, Math.floor(maxConnections / 10))
  const queue = { maxWaiting, maxWaitingPerOwner, maxWaitMs: connectTimeoutMs }
  return new FairLimiter({ permits: maxConnections, reserve, share: 2, ...queue })
}

/** They are beside those for other statements. */
function maxScansWith(maxConnections: number): number {
  return Math.min(4, Math.max(2, Math.floor(maxConnections / 4)))
}

function scanLimiter(permits: number): FairLimiter {
  const queue = { maxWaiting: 64, maxWaitingPerOwner: 16, maxWaitMs: 5000 }
  return new FairLimiter({ permits, reserve: 0, share: 1, ...queue })
}

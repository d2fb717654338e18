import pg from 'pg'
import {
  type ChangeListener,
  type Database,
  DatabaseUnavailable,
  type Executor,
  type Result,
  TenantElsewhere,
  type Transaction,
} from '../executor.ts'
import { translate } from './failure.ts'
import { type Connections, Lane, type Queries, type TenantBudget } from './lane.ts'
import { channel, Notices } from './notices.ts'
import { types } from './types.ts'

export interface PostgresOptions {
  maxConnections: number
  connectTimeoutMs: number
  statementTimeoutMs: number
  /** That of many databases together; the connection that hears of changes is beside it. */
  budget?: TenantBudget
  /** Whatever can be found by an index is, whatever the statistics say: those of a table just filled lag behind. */
  byIndex?: boolean
}

const byIndex = ['seqscan', 'bitmapscan', 'sort'].map((way) => `-c enable_${way}=off`)

/** The server ends a statement that takes too long; when it falls silent, this much later we do. */
const silenceMs = 1000
const idleMs = 30_000

/** @param connectionString `postgres://…`; nothing is connected before the first statement */
export function openPostgres(connectionString: string, options: PostgresOptions): Database {
  return new PostgresDatabase(connectionString, options)
}

class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly executor: Executor
  readonly #connections: Connections
  readonly #notices: Notices

  constructor(connectionString: string, options: PostgresOptions) {
    const client = {
      connectionString,
      types,
      application_name: 'tenantry',
      options: ['-c timezone=UTC', ...(options.byIndex === true ? byIndex : [])].join(' '),
      connectionTimeoutMillis: options.connectTimeoutMs,
      query_timeout: options.statementTimeoutMs + silenceMs,
      keepAlive: true,
    }
    this.#connections = openConnections({ ...client, statement_timeout: options.statementTimeoutMs }, options)
    this.executor = new PostgresExecutor(this.#connections)
    this.#notices = new Notices(client)
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#inside('BEGIN', work)
  }

  snapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    return this.#inside('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work)
  }

  async #inside<T>(begin: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#connections.connect().catch((error: unknown) => {
      throw translate(error)
    })
    let broken: Error | undefined
    const breaks = (failure: Error): void => {
      broken = failure
    }
    try {
      const transaction = new PostgresTransaction(client, (change) => this.#notices.tell(change))
      await client.query({ text: begin })
      const value = await work(transaction)
      await client.query({ text: 'COMMIT' })
      for (const listener of transaction.listeners) listener()
      return value
    } catch (error) {
      const known = translate(error)
      const isRefused = known instanceof TenantElsewhere
      if (known instanceof DatabaseUnavailable && !isRefused) broken = known
      else await client.query({ text: 'ROLLBACK' }).catch(breaks)
      throw known
    } finally {
      client.release(broken)
    }
  }

  onChange(listener: ChangeListener): void {
    this.#notices.onChange(listener)
  }

  async close(): Promise<void> {
    await this.#notices.close()
    await this.#connections.end()
  }
}

function openConnections(client: pg.ClientConfig, { budget, maxConnections }: PostgresOptions): Connections {
  if (budget !== undefined) return new Lane(budget, { client, most: maxConnections, idleMs })
  const pool = new pg.Pool({ ...client, max: maxConnections, idleTimeoutMillis: idleMs })
  // An idle connection that breaks is replaced on the next use; there is no request to fail.
  pool.on('error', () => undefined)
  // One that breaks between two statements of a transaction says so here; the next statement fails by it.
  pool.on('connect', (connection) => connection.on('error', () => undefined))
  return pool
}

const names = new Map<string, string>()

/** One name for one text: `pg` keeps a statement prepared on each connection under its name. */
function nameOf(sql: string): string {
  const name = names.get(sql) ?? `t${names.size}`
  names.set(sql, name)
  return name
}

class PostgresExecutor implements Executor {
  readonly dialect = 'postgres'
  readonly #client: Queries

  constructor(client: Queries) {
    this.#client = client
  }

  async run(sql: string, parameters: readonly unknown[], reusable: boolean): Promise<Result> {
    const values = [...parameters]
    const query = reusable ? { name: nameOf(sql), text: sql, values } : { text: sql, values }
    try {
      const { rows, rowCount } = await this.#client.query(query)
      return { rows, affected: rowCount ?? 0 }
    } catch (error) {
      throw translate(error)
    }
  }
}

class PostgresTransaction extends PostgresExecutor implements Transaction {
  readonly listeners: (() => void)[] = []
  readonly #tell: ChangeListener

  constructor(client: Queries, tell: ChangeListener) {
    super(client)
    this.#tell = tell
  }

  /** This instance knows as soon as the caller does; the others, and this one again, by notification. */
  async announce(change: string): Promise<void> {
    this.afterCommit(() => this.#tell(change))
    await this.run('select pg_notify($1, $2)', [channel, change], true)
  }

  afterCommit(listener: () => void): void {
    this.listeners.push(listener)
  }
}

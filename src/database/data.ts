/** The handles that features query through: a tenant's rows, the catalogue, and the delivery queue of all tenants. */
import { type Compilable, Kysely } from 'kysely'
import type { CatalogueTables } from './catalogue-tables.ts'
import { executing } from './dialect.ts'
import type { Database, Executor, TimeAllowance } from './executor.ts'
import {
  deferOrRun,
  deferPrepared,
  type Prepared,
  type PreparedForAll,
  runPrepared,
  runPreparedForAll,
  scanPrepared,
  scanPreparedForAll,
} from './prepared.ts'
import { scopeToTenant } from './scope.ts'
import type { TenantTables } from './tenant-tables.ts'

/** The rows of one tenant. There is no way from here to those of another. */
export class TenantData {
  readonly tenantId: string
  readonly executor: Executor
  /** Where scans run; `null` inside a transaction, which has one connection. */
  readonly #database: Database | null
  #kysely: Kysely<TenantTables> | null = null

  constructor(tenantId: string, executor: Executor, database: Database | null = null) {
    this.tenantId = tenantId
    this.executor = executor
    this.#database = database
  }

  /** Whether a scan runs apart from other reads. */
  get canScan(): boolean {
    return this.#database !== null
  }

  /** For queries whose shape depends on the request; a fixed one is better prepared. */
  get kysely(): Kysely<TenantTables> {
    this.#kysely ??= new Kysely<TenantTables>({
      dialect: executing(this.executor),
      plugins: [scopeToTenant(this.tenantId)],
    })
    return this.#kysely
  }

  /** @param reusable the same query comes again: worth keeping prepared in the database */
  async all<P extends object, R>(query: Prepared<P, R>, parameters: P, reusable = true): Promise<R[]> {
    return (await runPrepared(this.executor, this.tenantId, query, parameters, reusable)).rows
  }

  async first<P extends object, R>(query: Prepared<P, R>, parameters: P, reusable = true): Promise<R | null> {
    return (await runPrepared(this.executor, this.tenantId, query, parameters, reusable)).rows[0] ?? null
  }

  /**
   * Rows in batches, apart from other reads, as long as there is time.
   * @param maxRowBytes of a row, where that is known
   * @throws StatementTimedOut, DatabaseBusy
   */
  async *scan<P extends object, R>(
    query: Prepared<P, R>,
    parameters: P,
    time: TimeAllowance,
    maxRowBytes = 0,
  ): AsyncGenerator<R[], void> {
    if (this.#database === null) yield await this.all(query, parameters, false)
    else yield* scanPrepared(this.#database, this.tenantId, query, { parameters, time, maxRowBytes })
  }

  /** @returns how many rows were inserted, updated or deleted */
  async change<P extends object, R>(query: Prepared<P, R>, parameters: P): Promise<number> {
    return (await runPrepared(this.executor, this.tenantId, query, parameters)).affected
  }
}

/**
 * Changes rows before anything else is asked in the transaction, and at the latest when it commits: in PostgreSQL several
 * changes cost one round trip. What a change fails with is thrown by what comes next.
 * @param answered receives the rows that the change returns, before the transaction ends
 */
export async function defer<P extends object, R>(
  { executor, tenantId }: TenantData,
  query: Prepared<P, R>,
  parameters: P,
  answered?: (rows: R[]) => void,
): Promise<void> {
  await deferPrepared(executor, tenantId, query, parameters, answered)
}

/** The same for a query whose shape depends on the request. */
export async function deferBuilt({ executor }: TenantData, query: Compilable): Promise<void> {
  const { sql, parameters } = query.compile()
  await deferOrRun(executor, sql, parameters, false)
}

/** Tenants, users, sessions, signing keys, audit: one place for the whole service. */
export class CatalogueData {
  readonly executor: Executor
  #kysely: Kysely<CatalogueTables> | null = null

  constructor(executor: Executor) {
    this.executor = executor
  }

  get kysely(): Kysely<CatalogueTables> {
    this.#kysely ??= new Kysely<CatalogueTables>({ dialect: executing(this.executor) })
    return this.#kysely
  }
}

/**
 * What waits in one database, of all tenants that have their rows there: for `src/webhooks` alone, which serves them
 * together. A test keeps everything else away from it.
 */
export class QueueData {
  readonly executor: Executor
  /** Where scans run. */
  readonly #database: Database | null

  constructor(executor: Executor, database: Database | null = null) {
    this.executor = executor
    this.#database = database
  }

  /** As that of `TenantData`. */
  async *scan<P extends object, R>(
    query: PreparedForAll<P, R>,
    parameters: P,
    time: TimeAllowance,
  ): AsyncGenerator<R[], void> {
    if (this.#database === null) yield await this.all(query, parameters)
    else yield* scanPreparedForAll(this.#database, query, { parameters, time })
  }

  all<P extends object, R>(query: PreparedForAll<P, R>, parameters: P): Promise<R[]> {
    return runPreparedForAll(this.executor, query, parameters).then(({ rows }) => rows)
  }

  /** @returns how many rows were inserted, updated or deleted */
  change<P extends object, R>(query: PreparedForAll<P, R>, parameters: P): Promise<number> {
    return runPreparedForAll(this.executor, query, parameters).then(({ affected }) => affected)
  }
}

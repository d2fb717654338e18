/** The handles that features query through: a tenant's rows, the catalogue, and the delivery queue of all tenants. */
import { Kysely } from 'kysely'
import type { CatalogueTables } from './catalogue-tables.ts'
import { executing } from './dialect.ts'
import type { Executor } from './executor.ts'
import { type Prepared, type PreparedForAll, runPrepared, runPreparedForAll } from './prepared.ts'
import { scopeToTenant } from './scope.ts'
import type { TenantTables } from './tables.ts'

/** The rows of one tenant. There is no way from here to those of another. */
export class TenantData {
  readonly tenantId: string
  readonly executor: Executor
  #kysely: Kysely<TenantTables> | null = null

  constructor(tenantId: string, executor: Executor) {
    this.tenantId = tenantId
    this.executor = executor
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

  /** @returns how many rows were inserted, updated or deleted */
  async change<P extends object, R>(query: Prepared<P, R>, parameters: P): Promise<number> {
    return (await runPrepared(this.executor, this.tenantId, query, parameters)).affected
  }
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
 * What waits in one database, of all tenants that have their rows there: for `src/delivery` and
 * `src/incoming` alone, which serve them together. A test keeps everything else away from it.
 */
export class QueueData {
  readonly executor: Executor

  constructor(executor: Executor) {
    this.executor = executor
  }

  all<P extends object, R>(query: PreparedForAll<P, R>, parameters: P): Promise<R[]> {
    return runPreparedForAll(this.executor, query, parameters).then(({ rows }) => rows)
  }

  /** @returns how many rows were inserted, updated or deleted */
  change<P extends object, R>(query: PreparedForAll<P, R>, parameters: P): Promise<number> {
    return runPreparedForAll(this.executor, query, parameters).then(({ affected }) => affected)
  }
}

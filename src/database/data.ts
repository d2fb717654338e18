/** The handles that run queries, each confined to certain rows: of a tenant, a user, the installation, or the queues. */
import { type Compilable, Kysely } from 'kysely'
import type { InstallationTables, TenantCatalogueTables, UserTables } from './catalogue-tables.ts'
import { dialectFor } from './dialect.ts'
import type { Database, Executor, TimeAllowance } from './executor.ts'
import {
  deferInScope,
  deferOrRun,
  deferPrepared,
  type Prepared,
  type PreparedFor,
  type Ran,
  runInScope,
  runPrepared,
  scanPrepared,
  scanPreparedForAll,
} from './prepared.ts'
import type { RowReach } from './row-reach.ts'
import { type Scope, scopeTo } from './scope.ts'
import type { TenantTables } from './tenant-tables.ts'

/** The rows of one tenant. The handle cannot reach rows of another tenant. */
export class TenantData {
  readonly tenantId: string
  readonly executor: Executor
  /** The caller's access to the rows of tables that have access rules; `null`: all rows. */
  readonly reach: RowReach | null = null
  /** Whether queries of `prepareForRowsOfAll` read the rows of all tenants; other queries find no row then. */
  readonly isOfAll: boolean = false
  /** The database for scans; `null` inside a transaction, which has one connection. */
  readonly #database: Database | null
  #kysely: Kysely<TenantTables> | null = null

  constructor(tenantId: string, executor: Executor, database: Database | null = null) {
    this.tenantId = tenantId
    this.executor = executor
    this.#database = database
  }

  /** Whether scans run separately from other reads. */
  get canScan(): boolean {
    return this.#database !== null
  }

  /** `null` inside a transaction. */
  get database(): Database | null {
    return this.#database
  }

  /** For queries whose shape depends on the request; `prepare` is faster for others. */
  get kysely(): Kysely<TenantTables> {
    this.#kysely ??= new Kysely<TenantTables>({
      dialect: dialectFor(this.executor),
      plugins: [scopeTo({ tenant: this.tenantId, ...this.#rules() })],
    })
    return this.#kysely
  }

  #rules(): Pick<Scope, 'rules'> {
    const { reach, executor } = this
    if (reach === null) return {}
    const { dialect } = executor
    return { rules: { reach, dialect, placeholderOf: (name) => reach.value(name, dialect) } }
  }

  /** @param reusable the query will be run again: the database keeps it prepared */
  all<P extends object, R>(query: Prepared<P, R>, parameters: P, reusable = true): Promise<R[]> {
    return runPrepared(this.executor, this, query, parameters, reusable).then(rowsOf)
  }

  /** Runs the query like `all`. @returns also the time that the database took, on PostgreSQL */
  timed<P extends object, R>(query: Prepared<P, R>, parameters: P, reusable: boolean): Promise<Ran<R>> {
    return runPrepared(this.executor, this, query, parameters, reusable)
  }

  first<P extends object, R>(query: Prepared<P, R>, parameters: P, reusable = true): Promise<R | null> {
    return runPrepared(this.executor, this, query, parameters, reusable).then(firstOf)
  }

  /**
   * Returns rows in batches, separately from other reads, within the time allowance.
   * @param maxRowBytes the maximum size of a row, if known
   * @throws StatementTimedOut, DatabaseBusy
   */
  async *scan<P extends object, R>(
    query: Prepared<P, R>,
    parameters: P,
    time: TimeAllowance,
    maxRowBytes = 0,
  ): AsyncGenerator<R[], void> {
    if (this.#database === null) yield await this.all(query, parameters, false)
    else yield* scanPrepared(this.#database, this, query, { parameters, time, maxRowBytes })
  }

  /** @returns the number of rows inserted, updated or deleted */
  change<P extends object, R>(query: Prepared<P, R>, parameters: P): Promise<number> {
    return runPrepared(this.executor, this, query, parameters).then(affectedBy)
  }
}

/** The rows of one tenant that access rules permit to a caller. */
export class ReachedData extends TenantData {
  override readonly reach: RowReach

  constructor(data: TenantData, reach: RowReach, database: Database | null) {
    super(data.tenantId, data.executor, database)
    this.reach = reach
  }
}

/** The rows of all tenants in the catalogue, and of tables without a tenant. No tenant has its empty id. */
class DataOfAll extends TenantData {
  override readonly isOfAll = true

  constructor(executor: Executor, database: Database | null) {
    super('', executor, database)
  }
}

function rowsOf<R>({ rows }: { rows: R[] }): R[] {
  return rows
}

function firstOf<R>({ rows }: { rows: R[] }): R | null {
  return rows[0] ?? null
}

function affectedBy({ affected }: { affected: number }): number {
  return affected
}

/**
 * Changes rows with the next statement of the transaction, at the latest with its commit: on PostgreSQL several changes
 * cost one round trip. The next statement, or the commit, throws the error of the change.
 * @param answered receives the result before the transaction ends
 */
export function defer<P extends object, R>(
  data: TenantData,
  query: Prepared<P, R>,
  parameters: P,
  answered?: (ran: Ran<R>) => void,
): Promise<void> {
  return deferPrepared(data.executor, data, query, parameters, answered)
}

/** Defers a query whose shape depends on the request, like a prepared one. */
export async function deferBuilt({ executor }: TenantData, query: Compilable): Promise<void> {
  const { sql, parameters } = query.compile()
  await deferOrRun(executor, sql, parameters, false)
}

/** Runs prepared queries of one kind in the catalogue, such as those on the rows of a user. */
abstract class CatalogueHandle<Kind extends string, Tables> {
  readonly executor: Executor
  readonly tenantId: string | null
  readonly userId: string | null
  #kysely: Kysely<Tables> | null = null

  constructor(executor: Executor, tenantId: string | null, userId: string | null) {
    this.executor = executor
    this.tenantId = tenantId
    this.userId = userId
  }

  protected abstract get scope(): Scope | null

  /** For queries whose shape depends on the request; prepared ones are faster. */
  get kysely(): Kysely<Tables> {
    const { scope } = this
    this.#kysely ??= new Kysely<Tables>({
      dialect: dialectFor(this.executor),
      plugins: scope === null ? [] : [scopeTo(scope)],
    })
    return this.#kysely
  }

  all<P extends object, R>(query: PreparedFor<Kind, P, R>, parameters: P): Promise<R[]> {
    return runInScope(this.executor, this, query, parameters).then(rowsOf)
  }

  first<P extends object, R>(query: PreparedFor<Kind, P, R>, parameters: P): Promise<R | null> {
    return runInScope(this.executor, this, query, parameters).then(firstOf)
  }

  /** @returns the number of rows inserted, updated or deleted */
  change<P extends object, R>(query: PreparedFor<Kind, P, R>, parameters: P): Promise<number> {
    return runInScope(this.executor, this, query, parameters).then(affectedBy)
  }

  /** Changes rows with the next statement of the transaction, like `defer`. */
  defer<P extends object, R>(query: PreparedFor<Kind, P, R>, parameters: P): Promise<void> {
    return deferInScope(this.executor, this, query, parameters)
  }
}

/** The rows of one tenant in the catalogue. */
export class CatalogueData extends CatalogueHandle<'catalogue', TenantCatalogueTables> {
  declare readonly tenantId: string

  constructor(tenantId: string, executor: Executor) {
    super(executor, tenantId, null)
  }

  protected override get scope(): Scope {
    return { tenant: this.tenantId }
  }

  /** The rows of a user of the tenant. */
  ofUser(userId: string): UserData {
    return new UserData(this.tenantId, userId, this.executor)
  }
}

/** The rows of one user in the catalogue. */
export class UserData extends CatalogueHandle<'user', UserTables> {
  declare readonly tenantId: string
  declare readonly userId: string

  constructor(tenantId: string, userId: string, executor: Executor) {
    super(executor, tenantId, userId)
  }

  protected override get scope(): Scope {
    return { tenant: this.tenantId, user: this.userId }
  }
}

/**
 * All rows of the catalogue: tenants, signing keys, lists across tenants, queues, retention, and what is looked up
 * before its tenant is known.
 */
export class InstallationData extends CatalogueHandle<'installation', InstallationTables> {
  /** The database for scans; `null` inside a transaction. */
  readonly #database: Database | null

  constructor(executor: Executor, database: Database | null = null) {
    super(executor, null, null)
    this.#database = database
  }

  /** The same rows, for reads that a request describes: by filters, orders and chosen members. */
  get rows(): TenantData {
    return new DataOfAll(this.executor, this.#database)
  }

  protected override get scope(): null {
    return null
  }

  /** The rows of one tenant. */
  ofTenant(tenantId: string): CatalogueData {
    return new CatalogueData(tenantId, this.executor)
  }
}

/** Reads the rows of one tenant in the catalogue, or all of them. */
export type TenantOrAllData = Pick<
  CatalogueHandle<'catalogue' | 'installation', TenantCatalogueTables>,
  'all' | 'first'
>

/**
 * The queues of one database, for all tenants whose rows it has. A rule of the tests names the folders that may use this
 * handle, such as those of webhooks and jobs.
 */
export class QueueData {
  readonly executor: Executor
  /** The database for scans. */
  readonly #database: Database | null

  constructor(executor: Executor, database: Database | null = null) {
    this.executor = executor
    this.#database = database
  }

  /** Like `TenantData.scan`. */
  async *scan<P extends object, R>(
    query: PreparedFor<'queue', P, R>,
    parameters: P,
    time: TimeAllowance,
  ): AsyncGenerator<R[], void> {
    if (this.#database === null) yield await this.all(query, parameters)
    else yield* scanPreparedForAll(this.#database, query, { parameters, time })
  }

  all<P extends object, R>(query: PreparedFor<'queue', P, R>, parameters: P): Promise<R[]> {
    return runInScope(this.executor, allTenants, query, parameters).then(rowsOf)
  }

  /** @returns the number of rows inserted, updated or deleted */
  change<P extends object, R>(query: PreparedFor<'queue', P, R>, parameters: P): Promise<number> {
    return runInScope(this.executor, allTenants, query, parameters).then(affectedBy)
  }
}

const allTenants = { tenantId: null, userId: null }

/**
 * The databases in which the rows of tenants are: the shared one, or a tenant's own database, which is opened on first
 * use. An open database is leased to each request. Idle ones are closed, the least recently used first.
 */
import type { DedicatedDatabase, Tenant, TenantDatabases } from '../core/context.ts'
import type { SecretBox } from '../core/encryption/secret-box.ts'
import { invalidField, ServiceError } from '../core/errors.ts'
import type { DatabaseState, DedicatedOptions, FaultyDatabase, Lease } from '../core/tenant/database-state.ts'
import { changedTenant } from '../core/tenant/directory.ts'
import { foldTenantId } from '../core/tenant/tenant-id.ts'
import { TenantDatabaseUnavailable } from '../core/tenant/unavailable-database.ts'
import type { InstallationData } from '../database/data.ts'
import { type Database, DatabaseLost, resync } from '../database/executor.ts'
import type { Migration } from '../database/migration.ts'
import type { PostgresOptions } from '../database/postgres/postgres-database.ts'
import type { LockTenantDatabase } from '../database/serving-lock.ts'
import { type DatabaseTarget, isSameTarget, locationOf } from '../database/target.ts'
import { decryptTarget, parseConnectionString, tenantFolder } from './connection-string.ts'
import { openDedicated } from './dedicated-database.ts'
import { admitKnown } from './expected-database.ts'
import { isSuspect, type Opened, OpenedDatabases, type OpenedDatabasesOptions } from './opened-databases.ts'
import { type OwnDatabase, openOwn, recordOwn } from './own-database.ts'
import { faultOf, reasonOf } from './prepare.ts'
import { findOwnDatabase } from './sql.ts'
import { UnavailableDatabases } from './unavailable-databases.ts'

export interface TenantDatabasesOptions extends OpenedDatabasesOptions {
  /** Where `shared`, the database of the catalogue, is. */
  sharedTarget: DatabaseTarget
  catalogue: InstallationData
  secretBox: SecretBox
  /** Migrations of both kinds of database. */
  migrations: readonly Migration[]
  dataDir: string
  postgres: PostgresOptions
  /** Keeps other processes from the database while it is open. */
  lock: LockTenantDatabase
  /** The id of the installation. */
  installation: () => Promise<string>
}

export class OwnDatabases implements TenantDatabases {
  readonly #options: TenantDatabasesOptions
  readonly #sharedLease: Lease
  readonly #opened: OpenedDatabases
  readonly #unavailable: UnavailableDatabases
  /** The location of each tenant's rows, by case-folded id. */
  readonly #locations = new Map<string, string>()

  constructor(options: TenantDatabasesOptions) {
    this.#options = options
    this.#unavailable = new UnavailableDatabases(options.log)
    this.#opened = new OpenedDatabases(options)
    this.#sharedLease = { database: options.shared, release: () => undefined }
  }

  lease(tenant: Tenant): Lease | Promise<Lease> {
    if (!tenant.hasOwnDatabase) return this.#sharedLease
    const key = foldTenantId(tenant.id)
    const opened = this.#opened.get(this.#locations.get(key) ?? '')
    // A damaged or lost database is opened again: the file may have been replaced.
    if (!opened?.database || opened.isGone || isSuspect(opened.database)) return this.#openAndLease(key)
    return this.#opened.lease(opened, opened.database)
  }

  /** Whether the rows of the tenant are in this database. */
  async holds(tenant: Tenant, database: Database): Promise<boolean> {
    const { shared } = this.#options
    if (!tenant.hasOwnDatabase) return database === shared
    if (database === shared) return false
    const lease = await this.lease(tenant)
    lease.release()
    return lease.database === database
  }

  /** @throws ServiceError `invalid` for a malformed connection string, and for the database of the service */
  check(connectionString: string): DatabaseTarget {
    const target = parseConnectionString(connectionString, tenantFolder(this.dataDir))
    if (!isSameTarget(target, this.sharedTarget)) return target
    throw invalidField('connectionString', 'must not name the database of the service itself', 'reserved')
  }

  get sharedTarget(): DatabaseTarget {
    return this.#options.sharedTarget
  }

  /** Describes the database for administrators. Opens it if it is not open, also shortly after a failure. */
  async state(tenant: Tenant): Promise<DatabaseState> {
    const key = foldTenantId(tenant.id)
    const own = tenant.hasOwnDatabase ? await this.#find(key) : null // it may have been moved meanwhile
    if (own === null) return { kind: 'shared', status: 'ready', message: null }
    const { kind } = own.target
    if (this.#opened.get(locationOf(own.target))?.database === null)
      return { kind, status: 'pending', message: null }
    try {
      const isOpen = this.#opened.get(this.#locations.get(key) ?? '') !== undefined
      const lease = await (isOpen ? this.lease(tenant) : this.#openAndLease(key, true))
      await lease.database.check().finally(() => lease.release())
      return { kind, status: 'ready', message: null }
    } catch (error) {
      this.#options.log.debug({ err: error, tenantId: key }, 'tenant database asked for its state')
      const cause = error instanceof ServiceError ? error.cause : error
      return { kind, status: faultOf(cause), message: reasonOf(cause) }
    }
  }

  faults(): FaultyDatabase[] {
    return this.#unavailable.all().map(({ tenantId, cause }) => ({ tenantId, fault: faultOf(cause) }))
  }

  get dataDir(): string {
    return this.#options.dataDir
  }

  /** Opens the database for one task, such as a move, and not for the requests that share the open databases. */
  openDedicated(target: DatabaseTarget, options: DedicatedOptions = {}): Promise<DedicatedDatabase> {
    return openDedicated(this.#options, target, options)
  }

  /**
   * Removes what is cached of the tenant that has changed. After `resync` any tenant may have changed: every cached
   * location is removed, and every database that could not be opened may be tried at once.
   */
  invalidate(change: string): void {
    const tenant = changedTenant(change)
    if (change !== resync && tenant === null) return
    const opened = this.#opened.get(this.#locations.get(tenant ?? '') ?? '')
    if (tenant === null) {
      this.#locations.clear()
      this.#unavailable.retryAll()
    } else {
      this.#locations.delete(tenant)
      this.#unavailable.retryChanged(tenant)
    }
    if (opened?.database?.isDamaged === true) this.#opened.discard(opened)
    this.#opened.discardReplaced()
  }

  close(): Promise<void> {
    return this.#opened.close()
  }

  /** @param retryNow tries again also shortly after a failure, when requests are refused at once */
  async #openAndLease(key: string, retryNow = false): Promise<Lease> {
    try {
      const own = await this.#find(key)
      if (own === null) throw new Error('The tenant no longer has its own database.')
      if (!retryNow) this.#unavailable.refuse(attemptOf(own))
      const location = locationOf(own.target)
      const known = this.#opened.get(location)
      if (known !== undefined) this.#opened.discardReplaced([known])
      const opened = this.#opened.get(location) ?? this.#open(own)
      const lease = await this.#opened.leaseWhenReady(opened)
      await this.#admit(own, opened).catch((error: unknown) => {
        lease.release()
        throw error
      })
      this.#locations.set(key, location)
      return lease
    } catch (error) {
      throw error instanceof TenantDatabaseUnavailable ? error : new TenantDatabaseUnavailable(error)
    }
  }

  /** Checks that an open database is the tenant's, unless it was opened for this tenant. @throws DatabaseLost */
  async #admit(own: OwnDatabase, { isGone, identity, tenants }: Opened): Promise<void> {
    if (!isGone && tenants.has(own.key)) return
    const { shared } = this.#options
    const check = async (): Promise<void> => {
      if (isGone || identity === null)
        throw new DatabaseLost('missing', 'The database was lost while it was open.')
      admitKnown(own.known)(identity, await this.#options.installation())
      await recordOwn(own, identity, shared)
      tenants.add(own.key)
    }
    await this.#unavailable.attempt(attemptOf(own), check)
  }

  #open(own: OwnDatabase): Opened {
    return this.#opened.open(own, () =>
      this.#unavailable.attempt(attemptOf(own), () =>
        openOwn(own, this.#options, this.#options.shared, 'serve'),
      ),
    )
  }

  async #find(key: string): Promise<OwnDatabase | null> {
    const row = await findOwnDatabase(this.#options.catalogue, key)
    return row === null ? null : { ...row, key, target: decryptTarget(this.#options, row.connection) }
  }
}

function attemptOf({ id, key, target }: OwnDatabase) {
  return { tenantId: id, key, location: locationOf(target), isRemote: target.kind === 'postgres' }
}

/** Opens tenants' own databases on first use, and closes the least recently used. */
import type {
  DatabaseState,
  DedicatedDatabase,
  Lease,
  Logger,
  Tenant,
  TenantDatabases,
} from '../core/context.ts'
import type { SecretBox } from '../core/encryption/secret-box.ts'
import { invalidField, ServiceError } from '../core/errors.ts'
import { changedTenant, foldTenantId } from '../core/tenant/directory.ts'
import { TenantDatabaseUnavailable } from '../core/tenant/unavailable-database.ts'
import type { CatalogueData } from '../database/data.ts'
import { type Database, resync } from '../database/executor.ts'
import { describeUnknown, namesOfApplied, unknownMigrations } from '../database/migrate/history.ts'
import type { Migration } from '../database/migration.ts'
import { openDatabase } from '../database/open.ts'
import type { PostgresOptions } from '../database/postgres/postgres-database.ts'
import type { LockTenantDatabase } from '../database/serving-lock.ts'
import {
  type DatabaseTarget,
  fileIdentity,
  isSameTarget,
  locationOf,
  targetName,
} from '../database/target.ts'
import { decryptTarget, parseConnectionString, tenantFolder } from './connection-string.ts'
import { OpenFiles } from './open-files.ts'
import { openPrepared, openToServe, reasonOf } from './prepare.ts'
import { findConnectionString } from './sql.ts'
import { UnavailableDatabases } from './unavailable-databases.ts'

export interface TenantDatabasesOptions {
  shared: Database
  /** The location of `shared`. */
  sharedTarget: DatabaseTarget
  catalogue: CatalogueData
  secretBox: SecretBox
  /** Migrations of both kinds of database. */
  migrations: readonly Migration[]
  dataDir: string
  /** Idle databases beyond this number are closed, the least recently used first. */
  capacity: number
  /** The limit for SQLite files. Opening another one waits until one is closed. */
  maxOpenFiles: number
  postgres: PostgresOptions
  /** Held while a database is open. */
  lock: LockTenantDatabase
  log: Logger
}

/** The wait for a free file when all open files are in use. */
const maxOpenWaitMs = 5000

interface Opened {
  location: string
  kind: DatabaseTarget['kind']
  ready: Promise<Database>
  /** `null` until it is migrated. */
  database: Database | null
  /** The identity of a file, independent of its name. */
  identity: string
  users: number
  /** Whether the file was deleted or replaced. The database is closed when its last user leaves it. */
  isGone: boolean
}

export class OwnDatabases implements TenantDatabases {
  readonly #options: TenantDatabasesOptions
  readonly #sharedLease: Lease
  /** By location, the least recently used first. Tenants in one file share one writer. */
  readonly #opened = new Map<string, Opened>()
  readonly #files: OpenFiles
  readonly #unavailable: UnavailableDatabases
  /** The location of each tenant's rows, by folded id. */
  readonly #locations = new Map<string, string>()
  #closed = false

  constructor(options: TenantDatabasesOptions) {
    this.#options = options
    this.#unavailable = new UnavailableDatabases(options.log)
    this.#files = new OpenFiles(options.maxOpenFiles, () => this.#closeIdleFile(), maxOpenWaitMs)
    this.#sharedLease = { database: options.shared, release: () => undefined }
  }

  lease(tenant: Tenant): Lease | Promise<Lease> {
    if (!tenant.hasOwnDatabase) return this.#sharedLease
    const key = foldTenantId(tenant.id)
    const opened = this.#opened.get(this.#locations.get(key) ?? '')
    // A damaged database is opened again: the file may have been replaced.
    if (!opened?.database || opened.database.isDamaged) return this.#openAndLease(key)
    return this.#leaseOf(opened, opened.database)
  }

  async holds(tenant: Tenant, database: Database): Promise<boolean> {
    const { shared } = this.#options
    if (!tenant.hasOwnDatabase || database === shared) return !tenant.hasOwnDatabase && database === shared
    const lease = await this.lease(tenant)
    lease.release()
    return lease.database === database
  }

  check(connectionString: string): DatabaseTarget {
    const target = parseConnectionString(connectionString, tenantFolder(this.dataDir))
    if (!isSameTarget(target, this.sharedTarget)) return target
    throw invalidField('connectionString', 'must not name the database of the service itself')
  }

  get sharedTarget(): DatabaseTarget {
    return this.#options.sharedTarget
  }

  /** Opens the database if it is not open, also after a failure. */
  async state(tenant: Tenant): Promise<DatabaseState> {
    const key = foldTenantId(tenant.id)
    const target = tenant.hasOwnDatabase ? await this.#target(key) : null // it may have been moved meanwhile
    if (target === null) return { kind: 'shared', status: 'ready', message: null }
    const { kind, location } = target
    if (this.#opened.get(location)?.database === null) return { kind, status: 'pending', message: null }
    try {
      const isOpen = this.#opened.has(this.#locations.get(key) ?? '')
      const lease = await (isOpen ? this.lease(tenant) : this.#openAndLease(key, true))
      await lease.database.check().finally(() => lease.release())
      return { kind, status: 'ready', message: null }
    } catch (error) {
      this.#options.log.debug({ err: error, tenantId: key }, 'tenant database asked for its state')
      const cause = error instanceof ServiceError ? error.cause : error
      return { kind, status: 'failed', message: reasonOf(cause) }
    }
  }

  get dataDir(): string {
    return this.#options.dataDir
  }

  async openDedicated(target: DatabaseTarget, allowUnknownTables = false): Promise<DedicatedDatabase> {
    const postgres = { ...this.#options.postgres, byIndex: true }
    const database =
      target === this.sharedTarget // a tenant's target that names the same database is refused
        ? await openDatabase(target, postgres)
        : (await openPrepared(target, { ...this.#options, postgres })).database
    try {
      if (!allowUnknownTables) await this.#refuseUnknown(database)
      return { database, target, name: targetName(target) }
    } catch (error) {
      await database.close()
      throw error
    }
  }

  /** Refuses tables that this process could not create in another database. */
  async #refuseUnknown(database: Database): Promise<void> {
    const unknown = unknownMigrations(await namesOfApplied(database), this.#options.migrations)
    if (unknown.length === 0) return
    throw new ServiceError('invalid', `A database has ${describeUnknown(unknown)}`)
  }

  /** Removes the cached locations that a change makes stale. */
  invalidate(change: string): void {
    const tenant = changedTenant(change)
    if (change !== resync && tenant === null) return
    const opened = this.#opened.get(this.#locations.get(tenant ?? '') ?? '')
    if (tenant === null) this.#locations.clear()
    else this.#locations.delete(tenant)
    if (opened?.database?.isDamaged === true) this.#discard(opened)
    this.#discardReplaced(this.#opened.values())
  }

  /** Writes to a deleted file are lost, and an open handle keeps its disk space. */
  #discardReplaced(some: Iterable<Opened>): void {
    for (const opened of [...some]) {
      if (opened.database !== null && identityOf(opened) !== opened.identity) this.#discard(opened)
    }
  }

  #discard(opened: Opened): void {
    this.#opened.delete(opened.location)
    opened.isGone = true
    this.#closeGone(opened)
  }

  #closeGone(opened: Opened): void {
    if (opened.isGone && opened.users === 0) this.#close(opened)
  }

  async close(): Promise<void> {
    this.#closed = true
    const all = [...this.#opened.values()]
    this.#opened.clear()
    await Promise.all(all.map(async ({ ready }) => (await ready.catch(() => null))?.close()))
  }

  /** @param retryNow also shortly after a failure */
  async #openAndLease(key: string, retryNow = false): Promise<Lease> {
    try {
      const target = await this.#target(key)
      if (target === null) throw new Error('The tenant no longer has its own database.')
      const { kind, location, open } = target
      if (!retryNow) this.#unavailable.refuse(location)
      const known = this.#opened.get(location)
      if (known !== undefined) this.#discardReplaced([known])
      const opened = this.#opened.get(location) ?? this.#open(kind, location, open)
      const lease = await this.#leaseWhenReady(opened)
      this.#locations.set(key, location)
      return lease
    } catch (error) {
      throw error instanceof TenantDatabaseUnavailable ? error : new TenantDatabaseUnavailable(error, 0)
    }
  }

  /** The wait counts as a use, so that the database is not closed between opening and first use. */
  async #leaseWhenReady(opened: Opened): Promise<Lease> {
    opened.users++
    try {
      return this.#leaseOf(opened, await opened.ready)
    } finally {
      opened.users--
    }
  }

  #open(kind: Opened['kind'], location: string, open: () => Promise<Database>): Opened {
    if (this.#closed) throw new Error('The service is stopping.')
    const ready = kind === 'sqlite' ? this.#files.open(open) : open()
    const opened: Opened = { kind, location, ready, database: null, identity: '', users: 0, isGone: false }
    this.#opened.set(location, opened)
    ready.then(
      (database) => {
        opened.database = database
        opened.identity = identityOf(opened)
      },
      () => this.#opened.delete(location),
    )
    return opened
  }

  async #target(key: string) {
    const encrypted = await findConnectionString(this.#options.catalogue, key)
    if (encrypted === null) return null
    const target = decryptTarget(this.#options, encrypted)
    const location = locationOf(target)
    const attempted = { location, tenantId: key, isRemote: target.kind === 'postgres' }
    return {
      kind: target.kind,
      location,
      open: () => this.#unavailable.attempt(attempted, () => openToServe(target, this.#options)),
    }
  }

  #leaseOf(opened: Opened, database: Database): Lease {
    opened.users++
    if (this.#opened.delete(opened.location)) this.#opened.set(opened.location, opened)
    let held = true
    return {
      database,
      release: () => {
        if (!held) return
        held = false
        opened.users--
        this.#closeGone(opened)
        this.#closeIdle()
      },
    }
  }

  #closeIdle(): void {
    let surplus = this.#opened.size - this.#options.capacity
    for (const opened of this.#opened.values()) {
      if (surplus <= 0) return
      if (this.#closeUnused(opened)) surplus--
    }
  }

  #closeIdleFile(): boolean {
    for (const opened of this.#opened.values()) {
      if (opened.kind === 'sqlite' && this.#closeUnused(opened)) return true
    }
    return false
  }

  #closeUnused(opened: Opened): boolean {
    if (opened.users > 0 || opened.database === null) return false
    this.#opened.delete(opened.location)
    this.#close(opened)
    return true
  }

  #close({ kind, database }: Opened): void {
    const closing = database?.close() ?? Promise.resolve()
    void closing
      .catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'tenant database did not close cleanly')
      })
      .finally(() => kind === 'sqlite' && this.#files.closed())
  }
}

function identityOf({ kind, location }: Pick<Opened, 'kind' | 'location'>): string {
  return kind === 'sqlite' ? fileIdentity(location) : ''
}

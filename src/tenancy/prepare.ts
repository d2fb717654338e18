/** Opens a tenant's own database if it is the expected one, creates it if it never existed, and migrates it. */
import { ensureIdentity, identityMigration, readIdentity } from '../database/database-identity.ts'
import {
  type Database,
  DatabaseDamaged,
  type DatabaseIdentity,
  DatabaseLost,
  type Loss,
} from '../database/executor.ts'
import { inspectMigrations, migrate } from '../database/migrate/apply.ts'
import { namesOfApplied } from '../database/migrate/history.ts'
import type { Migration } from '../database/migration.ts'
import { createDatabase, databaseExists, openDatabase, openForInspection } from '../database/open.ts'
import type { PostgresOptions } from '../database/postgres/postgres-database.ts'
import type { LockTenantDatabase } from '../database/serving-lock.ts'
import { type DatabaseTarget, isSameTarget } from '../database/target.ts'
import type { Admit, FoundDatabase } from './expected-database.ts'

export interface Preparation {
  sharedTarget: DatabaseTarget
  /** Migrations of both kinds of database. */
  migrations: readonly Migration[]
  postgres: PostgresOptions
  /** Keeps other processes from the database while it is open. */
  lock: LockTenantDatabase
  /** The maximum wait for another process that migrates the same database; a default applies if absent. */
  lockWaitMs?: number
  /** The id of the installation. */
  installation: () => Promise<string>
}

/** Refused as a tenant's own database: a catalogue has the rows and the queues of many tenants. */
class NamesCatalogue extends Error {
  constructor() {
    super('The connection string names a database with the catalogue of a service.')
  }
}

export interface PreparedDatabase {
  database: Database
  identity: DatabaseIdentity
  /** The names of the migrations that were applied now. */
  applied: string[]
}

/**
 * Opens a database of tenants' rows, and gives it an identity. Nothing is written before it is admitted.
 * @throws AlreadyServed, DatabaseLost, DatabaseUnavailable, MigrationFailed, MigrationRefused, NamesCatalogue
 */
export async function openPrepared(
  target: DatabaseTarget,
  { sharedTarget, migrations, postgres, lock, lockWaitMs, installation }: Preparation,
  admit: Admit,
): Promise<PreparedDatabase> {
  if (isSameTarget(target, sharedTarget)) throw new NamesCatalogue()
  const installationId = await installation()
  if (!(await databaseExists(target, postgres))) {
    admit(null, installationId)
    await createDatabase(target, postgres)
  }
  const database = await openLocked(target, postgres, lock)
  try {
    const applied = await namesOfApplied(database)
    const own = migrationsOfTenant(applied, migrations)
    admit(await findIdentity(database, applied), installationId)
    const { isFormer, pending } = await inspectMigrations(database, own)
    const options = lockWaitMs === undefined ? {} : { lockWaitMs }
    const appliedNow = isFormer || pending.length > 0 ? await migrate(database, own, options) : []
    const identity = await ensureIdentity(database, { installation: installationId })
    return { database, applied: appliedNow, identity }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** @param applied the names of the applied migrations @returns see `FoundDatabase` */
export async function findIdentity(database: Database, applied: ReadonlySet<string>): Promise<FoundDatabase> {
  if (applied.size === 0) return null
  const identity = applied.has(identityMigration.name) ? await readIdentity(database.executor) : null
  return identity ?? 'unidentified'
}

/** Opens the database under the lock, which is released when the database is closed. */
async function openLocked(
  target: DatabaseTarget,
  postgres: PostgresOptions,
  lock: LockTenantDatabase,
): Promise<Database> {
  const unlock = await lock(target)
  try {
    const database = await openDatabase(target, postgres)
    const close = database.close.bind(database)
    database.close = () => close().finally(unlock)
    return database
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Finds out which migrations `openPrepared` would apply, and changes nothing.
 * @throws DatabaseUnavailable, NamesCatalogue
 */
export async function inspectPending(
  target: DatabaseTarget,
  { sharedTarget, migrations, postgres }: Omit<Preparation, 'lock' | 'installation'>,
): Promise<{ exists: boolean; pending: string[] }> {
  if (isSameTarget(target, sharedTarget)) throw new NamesCatalogue()
  const { exists, ...opened } = await openForInspection(target, postgres)
  await using database = opened.database
  const own = migrationsOfTenant(await namesOfApplied(database), migrations)
  const { pending } = await inspectMigrations(database, own)
  return { exists, pending: pending.map(({ name }) => name) }
}

/**
 * Refuses a database with a catalogue. The applied migrations show this; the connection string may not, because one
 * database can have several names.
 * @returns the migrations of tenants' databases
 */
function migrationsOfTenant(applied: ReadonlySet<string>, migrations: readonly Migration[]): Migration[] {
  const isOfCatalogue = ({ database: kind, name }: Migration) => kind === 'catalogue' && applied.has(name)
  if (migrations.some(isOfCatalogue)) throw new NamesCatalogue()
  return migrations.filter(({ database: kind }) => kind === 'tenant')
}

/** What is wrong with a tenant's own database. `failed`: it cannot be reached or prepared. */
export type DatabaseFault = Loss | 'damaged' | 'failed'

export function faultOf(cause: unknown): DatabaseFault {
  if (cause instanceof DatabaseLost) return cause.loss
  return cause instanceof DatabaseDamaged ? 'damaged' : 'failed'
}

const lossTexts: Record<Loss, string> = {
  missing: 'The database is missing, and is not created again by itself.',
  foreign: 'The database is not the one of this tenant.',
  stale: 'The database is older than it was: an earlier copy was put in its place.',
}

/** @returns why a database cannot be used, in words for its tenant */
export function reasonOf(cause: unknown): string {
  if (cause instanceof NamesCatalogue) return cause.message
  if (cause instanceof DatabaseLost) return lossTexts[cause.loss]
  if (cause instanceof DatabaseDamaged) return 'The database is damaged.'
  return 'The database cannot be reached or prepared.'
}

/** Creates a tenant's own database if it is missing, and migrates it. */
import { type Database, DatabaseDamaged } from '../database/executor.ts'
import { inspectMigrations, migrate } from '../database/migrate/apply.ts'
import { namesOfApplied } from '../database/migrate/history.ts'
import type { Migration } from '../database/migration.ts'
import { createDatabase, openDatabase, openForInspection } from '../database/open.ts'
import type { PostgresOptions } from '../database/postgres/postgres-database.ts'
import type { LockTenantDatabase } from '../database/serving-lock.ts'
import { type DatabaseTarget, isSameTarget } from '../database/target.ts'

export interface Preparation {
  /** The shared database. */
  sharedTarget: DatabaseTarget
  /** Migrations of both kinds of database. */
  migrations: readonly Migration[]
  postgres: PostgresOptions
  /** Held while the database is open. */
  lock: LockTenantDatabase
  /** The maximum wait for another process that migrates the same database; a default applies if absent. */
  lockWaitMs?: number
}

/** A catalogue as a tenant's own database would mix the tenant's rows and queue with those of all tenants. */
export class NamesCatalogue extends Error {
  constructor() {
    super('The connection string names a database with the catalogue of a service.')
  }
}

/**
 * @returns the database, and the names of the migrations that were applied now
 * @throws AlreadyServed, DatabaseUnavailable, MigrationFailed, MigrationRefused, NamesCatalogue
 */
export async function openPrepared(
  target: DatabaseTarget,
  { sharedTarget, migrations, postgres, lock, lockWaitMs }: Preparation,
): Promise<{ database: Database; applied: string[] }> {
  if (isSameTarget(target, sharedTarget)) throw new NamesCatalogue()
  await createDatabase(target, postgres)
  const database = await openLocked(target, postgres, lock)
  try {
    const own = await migrationsOfTenant(database, migrations)
    const { isFormer, pending } = await inspectMigrations(database, own)
    const options = lockWaitMs === undefined ? {} : { lockWaitMs }
    const applied = isFormer || pending.length > 0 ? await migrate(database, own, options) : []
    return { database, applied }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Like `openPrepared`. The commits do not wait for the disk on this thread. */
export async function openToServe(target: DatabaseTarget, preparation: Preparation): Promise<Database> {
  const { database } = await openPrepared(target, preparation)
  try {
    await database.syncOffThread?.()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/** The lock is released when the database is closed. */
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

/** What `openPrepared` would do, without doing it. @throws DatabaseUnavailable, NamesCatalogue */
export async function inspectPending(
  target: DatabaseTarget,
  { sharedTarget, migrations, postgres }: Omit<Preparation, 'lock'>,
): Promise<{ exists: boolean; pending: string[] }> {
  if (isSameTarget(target, sharedTarget)) throw new NamesCatalogue()
  const { database, exists } = await openForInspection(target, postgres)
  try {
    const own = await migrationsOfTenant(database, migrations)
    const { pending } = await inspectMigrations(database, own)
    return { exists, pending: pending.map(({ name }) => name) }
  } finally {
    await database.close()
  }
}

/** Checked in the database itself before anything is written, because one database can have several names. */
async function migrationsOfTenant(
  database: Database,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  const done = await namesOfApplied(database)
  const isOfCatalogue = ({ database: kind, name }: Migration) => kind === 'catalogue' && done.has(name)
  if (migrations.some(isOfCatalogue)) throw new NamesCatalogue()
  return migrations.filter(({ database: kind }) => kind === 'tenant')
}

/** @returns why a database cannot be used, in words for its tenant */
export function reasonOf(cause: unknown): string {
  if (cause instanceof NamesCatalogue) return cause.message
  if (cause instanceof DatabaseDamaged) return 'The database is damaged.'
  return 'The database cannot be reached or prepared.'
}

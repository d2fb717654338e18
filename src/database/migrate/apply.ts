/** Applies migrations: forward only, each in its own transaction under a lock, resumed after a crash. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, DatabaseBusy, DatabaseUnavailable, type Transaction } from '../executor.ts'
import {
  type ColumnTypes,
  columnTypes,
  type Migration,
  MigrationFailed,
  MigrationRefused,
} from '../migration.ts'
import { obstaclesToMigration } from '../postgres/preflight.ts'
import { tablesCreatedBy, tablesWithoutTenant, tenantColumnMissing } from '../require-tenant-column.ts'
import { refuseBrokenReferences, replaceTables } from '../sqlite/replace-tables.ts'
import { adopt, isFormer, planAdoption } from './adopt.ts'
import { foldAgain } from './fold-again.ts'
import { appliedMigrations, createMigrationTable, noteApplied } from './history.ts'
import { planMigrations } from './plan.ts'
import { tablesOf } from './tables.ts'

/** An arbitrary number that is equal in all instances. */
const lockNumber = 7_406_913

const defaultLockWaitMs = 30_000
const lockPollMs = 50

/**
 * Checks the whole plan before its first statement.
 * @param migrations all that this program knows for this database
 * @param options `lockWaitMs`: how long to wait for another process that migrates the same database; `types`: other
 *   column types than those of the dialect, for a database that is only inspected
 * @returns the names of the applied migrations
 * @throws DatabaseUnavailable, MigrationFailed; MigrationRefused, having changed nothing
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  { lockWaitMs = defaultLockWaitMs, types = columnTypes[database.dialect] } = {},
): Promise<string[]> {
  let applied = await appliedMigrations(database.executor)
  if (isFormer(applied)) {
    await refuseObstacles(database)
    await adoptFormer(database, migrations, lockWaitMs)
    applied = await appliedMigrations(database.executor)
  }
  const pending = await planMigrations(database.executor, applied, migrations)
  if (pending.length > 0) await refuseObstacles(database)
  if (applied.length === 0 && pending.length > 0) await createTable(database, lockWaitMs)
  const done: string[] = []
  for (const migration of pending) {
    const work = (transaction: Transaction) => apply(transaction, migration, types)
    const isNew = await withMigrationLock(database, lockWaitMs, work, migration.replacesTables)
    if (isNew) done.push(migration.name)
  }
  await refuseTablesWithoutTenant(database, migrations)
  return done
}

/** @throws MigrationRefused */
async function refuseObstacles({ executor }: Database): Promise<void> {
  const found = await obstaclesToMigration(executor)
  if (found.length > 0) throw new MigrationRefused(found)
}

export interface MigrationState {
  /** The database is from before version 0.2.0: a migration takes it over. */
  isFormer: boolean
  /** The pending migrations, in the order of their application. */
  pending: Migration[]
}

/** Plans what `migrate` would do, and changes nothing. @throws DatabaseUnavailable, MigrationRefused */
export async function inspectMigrations(
  { executor }: Database,
  migrations: readonly Migration[],
): Promise<MigrationState> {
  const applied = await appliedMigrations(executor)
  if (!isFormer(applied))
    return { isFormer: false, pending: await planMigrations(executor, applied, migrations) }
  const { present } = await planAdoption(executor, applied, migrations)
  return { isFormer: true, pending: migrations.filter((migration) => !present.includes(migration)) }
}

async function adoptFormer(
  database: Database,
  migrations: readonly Migration[],
  lockWaitMs: number,
): Promise<void> {
  const work = async (transaction: Transaction): Promise<void> => {
    // Another instance may have done it during the wait for the lock.
    const applied = await appliedMigrations(transaction)
    if (!isFormer(applied)) return
    await adopt(transaction, applied, migrations)
    if (transaction.dialect === 'sqlite') await refuseBrokenReferences(transaction)
  }
  await withMigrationLock(database, lockWaitMs, work, true)
}

async function createTable(database: Database, lockWaitMs: number): Promise<void> {
  const sql = createMigrationTable(columnTypes[database.dialect])
  await withMigrationLock(database, lockWaitMs, async (transaction) => {
    if (!(await tablesOf(transaction)).has('migration')) await transaction.run(sql, [], false)
  })
}

/** Also checks tables that were created by a version without this check. */
async function refuseTablesWithoutTenant(
  { dialect, executor }: Database,
  migrations: readonly Migration[],
): Promise<void> {
  const found = await tablesWithoutTenant(executor)
  for (const { name, statements } of migrations.filter(isTenantMigration)) {
    const table = statements(columnTypes[dialect], dialect)
      .flatMap(tablesCreatedBy)
      .find((made) => found.has(made))
    if (table !== undefined) throw new MigrationFailed(name, tenantColumnMissing(table))
  }
}

function isTenantMigration({ database }: Migration): boolean {
  return database === 'tenant'
}

/** @returns `false` if another instance has applied the migration during the wait for the lock */
async function apply(transaction: Transaction, migration: Migration, types: ColumnTypes): Promise<boolean> {
  const { dialect } = transaction
  const applied = await appliedMigrations(transaction)
  if (applied.some(({ name }) => name === migration.name)) return false
  try {
    const before = isTenantMigration(migration) ? await tablesWithoutTenant(transaction) : null
    const statements = migration.statements(types, dialect)
    if (dialect === 'sqlite' && migration.replacesTables === true)
      await replaceTables(transaction, statements)
    else for (const statement of statements) await transaction.run(statement, [], false)
    if (migration.foldsAgain === true) await foldAgain(transaction)
    if (before !== null) refuseAdded(before, await tablesWithoutTenant(transaction))
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? error : new MigrationFailed(migration.name, error)
  }
  await noteApplied(transaction, migration, new Date().toISOString())
  return true
}

/** Refuses tables without a tenant, whatever statement created them. */
function refuseAdded(before: ReadonlySet<string>, after: ReadonlySet<string>): void {
  const [table] = [...after].filter((name) => !before.has(name))
  if (table !== undefined) throw tenantColumnMissing(table)
}

/** Polls for the lock: a statement that waited for it would exceed its time limit. */
async function withMigrationLock<T>(
  database: Database,
  lockWaitMs: number,
  work: (transaction: Transaction) => Promise<T>,
  withoutForeignKeys = false,
): Promise<T> {
  for (const deadline = performance.now() + lockWaitMs; ; await sleep(lockPollMs)) {
    const done = await database
      .transaction(async (inside) => ((await tryLock(inside)) ? { value: await work(inside) } : null), {
        withoutForeignKeys,
      })
      .catch(nullWhenBusy)
    if (done !== null) return done.value
    if (performance.now() > deadline) throw new DatabaseBusy('Another process holds the database.')
  }
}

/** SQLite has one writer; PostgreSQL releases the lock with the transaction. */
async function tryLock(transaction: Transaction): Promise<boolean> {
  if (transaction.dialect === 'sqlite') return true
  const sql = 'SELECT pg_try_advisory_xact_lock($1) AS taken'
  const { rows } = await transaction.run(sql, [lockNumber], false)
  return rows[0]?.['taken'] === true
}

function nullWhenBusy(error: unknown): null {
  if (error instanceof DatabaseBusy) return null
  throw error
}

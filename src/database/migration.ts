/** Migrations: numbered, forward only, each in its own transaction under a lock, resumed after a crash. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Database,
  DatabaseBusy,
  DatabaseUnavailable,
  type Dialect,
  type Transaction,
} from './executor.ts'
import { tablesCreatedBy, tablesWithoutTenant, tenantColumnMissing } from './require-tenant-column.ts'
import { replaceTables } from './sqlite/replace-tables.ts'

/** The column types of one database, by content. */
export interface ColumnTypes {
  id: string
  text: string
  /** Text that sorts and compares by bytes, as SQLite does by default. */
  key: string
  timestamp: string
  /** A day without a time. */
  date: string
  boolean: string
  price: string
  bytes: string
  integer: string
  /** JSON as text. */
  json: string
  /** The suffix of a table whose rows are read by primary key. */
  clustered: string
}

export interface Migration {
  /** Feature and number, e.g. `order-0001`; never changed once released. */
  name: string
  /** `catalogue`: once for the service. `tenant`: in every database that holds tenants' rows. */
  database: 'catalogue' | 'tenant'
  statements(types: ColumnTypes, dialect: Dialect): string[]
  /**
   * On SQLite it replaces or drops tables that others refer to. Foreign keys are off while it runs, so that this deletes
   * no row, and are checked at its end.
   */
  replacesTables?: boolean
}

export const columnTypes: Record<Dialect, ColumnTypes> = {
  sqlite: {
    id: 'TEXT',
    text: 'TEXT',
    key: 'TEXT',
    timestamp: 'TEXT',
    date: 'TEXT',
    boolean: 'BOOLEAN',
    price: 'DECIMAL(15,4)',
    bytes: 'BLOB',
    integer: 'INTEGER',
    json: 'TEXT',
    clustered: 'WITHOUT ROWID',
  },
  postgres: {
    id: 'uuid',
    text: 'text',
    key: 'text COLLATE "C"',
    timestamp: 'timestamptz',
    date: 'date',
    boolean: 'boolean',
    price: 'numeric(15,4)',
    bytes: 'bytea',
    integer: 'bigint',
    json: 'text',
    clustered: '',
  },
}

/** An arbitrary number that is equal in all instances. */
const lockNumber = 7_406_913

const defaultLockWaitMs = 30_000
const lockPollMs = 50

/** Names the migration. The database error is the cause and part of the message. */
export class MigrationFailed extends Error {
  constructor(name: string, cause: unknown) {
    super(`Migration ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/**
 * @param options `lockWaitMs`: how long to wait for another process that migrates the same database; `types`: other
 *   column types than those of the database
 * @returns the names of the applied migrations
 * @throws DatabaseUnavailable, MigrationFailed
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  { lockWaitMs = defaultLockWaitMs, types = columnTypes[database.dialect] } = {},
): Promise<string[]> {
  const pending = await pendingMigrations(database, migrations)
  if (pending.length > 0) await createMigrationTable(database, lockWaitMs)
  const applied: string[] = []
  for (const migration of pending) {
    const work = (transaction: Transaction) => apply(transaction, migration, types)
    const isNew = await withMigrationLock(database, lockWaitMs, work, migration.replacesTables)
    if (isNew) applied.push(migration.name)
  }
  await refuseTablesWithoutTenant(database, migrations)
  return applied
}

/** The table of applied migrations on SQLite. */
export const sqliteMigrationTable = `CREATE TABLE ${migrationTable(columnTypes.sqlite)}`

function migrationTable({ key, timestamp }: ColumnTypes): string {
  return `migration (name ${key} PRIMARY KEY, applied_at ${timestamp} NOT NULL)`
}

async function createMigrationTable(database: Database, lockWaitMs: number): Promise<void> {
  const sql = `CREATE TABLE IF NOT EXISTS ${migrationTable(columnTypes[database.dialect])}`
  await withMigrationLock(database, lockWaitMs, (transaction) => transaction.run(sql, [], false))
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

/** @returns the names; none for a database that was never migrated @throws DatabaseUnavailable */
export async function appliedMigrations({ dialect, executor }: Database): Promise<Set<unknown>> {
  const table =
    dialect === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE name = 'migration'"
      : "SELECT 1 WHERE to_regclass('migration') IS NOT NULL"
  if ((await executor.run(table, [], false)).rows.length === 0) return new Set()
  const { rows } = await executor.run('SELECT name FROM migration', [], false)
  return new Set(rows.map((row) => row['name']))
}

/** Newest first. @param moment ISO 8601 @throws DatabaseUnavailable */
export async function migrationHistory({ executor }: Database): Promise<{ name: string; moment: string }[]> {
  const sql = 'SELECT name, applied_at FROM migration ORDER BY applied_at DESC, name DESC'
  const { rows } = await executor.run(sql, [], false)
  return rows.map((row) => ({ name: String(row['name']), moment: String(row['applied_at']) }))
}

/** In the order of their application. @throws DatabaseUnavailable */
export async function pendingMigrations(database: Database, all: readonly Migration[]): Promise<Migration[]> {
  const done = await appliedMigrations(database)
  return all.filter((migration) => !done.has(migration.name))
}

/** @param names of applied migrations that are unknown here @returns the problem and its solution */
export function describeUnknown(names: readonly string[]): string {
  const found = `tables of unknown features (${names.join(', ')}).`
  return `${found} Run the command line of the application that has these features instead of tenantry, or the newer version of Tenantry that has created them.`
}

/** Another instance may have applied it during the wait for the lock. @returns whether it was applied now */
async function apply(transaction: Transaction, migration: Migration, types: ColumnTypes): Promise<boolean> {
  const { dialect } = transaction
  const placeholders = dialect === 'sqlite' ? ['?', '?'] : ['$1', '$2']
  const found = await transaction.run(
    `SELECT name FROM migration WHERE name = ${placeholders[0]}`,
    [migration.name],
    false,
  )
  if (found.rows.length > 0) return false
  try {
    const before = isTenantMigration(migration) ? await tablesWithoutTenant(transaction) : null
    const statements = migration.statements(types, dialect)
    if (dialect === 'sqlite' && migration.replacesTables === true)
      await replaceTables(transaction, statements)
    else for (const statement of statements) await transaction.run(statement, [], false)
    if (before !== null) refuseAdded(before, await tablesWithoutTenant(transaction))
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? error : new MigrationFailed(migration.name, error)
  }
  await transaction.run(
    `INSERT INTO migration (name, applied_at) VALUES (${placeholders.join(', ')})`,
    [migration.name, new Date().toISOString()],
    false,
  )
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

/** Numbered, forward only, each in a transaction of its own, under a lock; a crash resumes where it stopped. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Database,
  DatabaseBusy,
  DatabaseUnavailable,
  type Dialect,
  type Transaction,
} from './executor.ts'
import { tablesMadeBy, tablesWithoutTenant, tenantColumnMissing } from './require-tenant-column.ts'

/** The column types of one database, by what they hold. */
export interface ColumnTypes {
  id: string
  text: string
  /** Text that sorts and compares by its bytes, as SQLite does by itself. */
  key: string
  timestamp: string
  boolean: string
  price: string
  bytes: string
  integer: string
  /** Ends a table whose primary key is how its rows are read. */
  clustered: string
}

export interface Migration {
  /** Feature and number, e.g. `product-0001`; never changed once released. */
  name: string
  /** `catalogue`: once for the service. `tenant`: in every database that holds tenants' rows. */
  database: 'catalogue' | 'tenant'
  statements(types: ColumnTypes, dialect: Dialect): string[]
}

const columnTypes: Record<Dialect, ColumnTypes> = {
  sqlite: {
    id: 'TEXT',
    text: 'TEXT',
    key: 'TEXT',
    timestamp: 'TEXT',
    boolean: 'BOOLEAN',
    price: 'DECIMAL(15,4)',
    bytes: 'BLOB',
    integer: 'INTEGER',
    clustered: 'WITHOUT ROWID',
  },
  postgres: {
    id: 'uuid',
    text: 'text',
    key: 'text COLLATE "C"',
    timestamp: 'timestamptz',
    boolean: 'boolean',
    price: 'numeric(15,4)',
    bytes: 'bytea',
    integer: 'bigint',
    clustered: '',
  },
}

/** Any number does: it only has to be the same in every instance. */
const lockNumber = 7_406_913

const defaultLockWaitMs = 30_000
const lockPollMs = 50

/** Names the migration; what the database says of it is the cause, and in the message. */
export class MigrationFailed extends Error {
  constructor(name: string, cause: unknown) {
    super(`Migration ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/**
 * @param options `lockWaitMs`: how long another process that migrates the same database is waited for
 * @returns the names of the migrations that were applied now
 * @throws DatabaseUnavailable, MigrationFailed
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[],
  { lockWaitMs = defaultLockWaitMs } = {},
): Promise<string[]> {
  const pending = await pendingMigrations(database, migrations)
  if (pending.length > 0) await makeMigrationTable(database, lockWaitMs)
  const types = columnTypes[database.dialect]
  const applied: string[] = []
  for (const migration of pending) {
    const isNew = await locked(database, lockWaitMs, (transaction) => apply(transaction, migration, types))
    if (isNew) applied.push(migration.name)
  }
  await refuseTablesWithoutTenant(database, migrations)
  return applied
}

/** As SQLite keeps it. */
export const sqliteMigrationTable = `CREATE TABLE ${migrationTable(columnTypes.sqlite)}`

function migrationTable({ key, timestamp }: ColumnTypes): string {
  return `migration (name ${key} PRIMARY KEY, applied_at ${timestamp} NOT NULL)`
}

async function makeMigrationTable(database: Database, lockWaitMs: number): Promise<void> {
  const sql = `CREATE TABLE IF NOT EXISTS ${migrationTable(columnTypes[database.dialect])}`
  await locked(database, lockWaitMs, (transaction) => transaction.run(sql, [], false))
}

/** Also those that an earlier version has made without complaint. */
async function refuseTablesWithoutTenant(
  { dialect, executor }: Database,
  migrations: readonly Migration[],
): Promise<void> {
  const found = await tablesWithoutTenant(executor)
  for (const { name, statements } of migrations.filter(isOfTenants)) {
    const table = statements(columnTypes[dialect], dialect)
      .flatMap(tablesMadeBy)
      .find((made) => found.has(made))
    if (table !== undefined) throw new MigrationFailed(name, tenantColumnMissing(table))
  }
}

function isOfTenants({ database }: Migration): boolean {
  return database === 'tenant'
}

/** @returns names; none for a database that was never migrated @throws DatabaseUnavailable */
export async function appliedMigrations({ dialect, executor }: Database): Promise<Set<unknown>> {
  const table =
    dialect === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE name = 'migration'"
      : "SELECT 1 WHERE to_regclass('migration') IS NOT NULL"
  if ((await executor.run(table, [], false)).rows.length === 0) return new Set()
  const { rows } = await executor.run('SELECT name FROM migration', [], false)
  return new Set(rows.map((row) => row['name']))
}

/** In the order in which they are to be applied. @throws DatabaseUnavailable */
export async function pendingMigrations(database: Database, all: readonly Migration[]): Promise<Migration[]> {
  const done = await appliedMigrations(database)
  return all.filter((migration) => !done.has(migration.name))
}

/** @param names of migrations that are applied and not known here @returns what is there, and what to do about it */
export function describeUnknown(names: readonly string[]): string {
  const found = `tables of features that are not here (${names.join(', ')}).`
  return `${found} Run the command line of the application that has them in the place of tenantry; if they are of a newer Tenantry, run that version.`
}

/** Another instance may have applied it while this one waited for the lock. @returns whether it was new */
async function apply(transaction: Transaction, migration: Migration, types: ColumnTypes): Promise<boolean> {
  const { dialect } = transaction
  const mark = dialect === 'sqlite' ? ['?', '?'] : ['$1', '$2']
  const found = await transaction.run(
    `SELECT name FROM migration WHERE name = ${mark[0]}`,
    [migration.name],
    false,
  )
  if (found.rows.length > 0) return false
  try {
    const before = isOfTenants(migration) ? await tablesWithoutTenant(transaction) : null
    for (const statement of migration.statements(types, dialect)) await transaction.run(statement, [], false)
    if (before !== null) refuseAdded(before, await tablesWithoutTenant(transaction))
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? error : new MigrationFailed(migration.name, error)
  }
  await transaction.run(
    `INSERT INTO migration (name, applied_at) VALUES (${mark.join(', ')})`,
    [migration.name, new Date().toISOString()],
    false,
  )
  return true
}

/** By whatever statements they were made. */
function refuseAdded(before: ReadonlySet<string>, after: ReadonlySet<string>): void {
  const [table] = [...after].filter((name) => !before.has(name))
  if (table !== undefined) throw tenantColumnMissing(table)
}

/** Asks for the lock again and again: a statement that waits would be ended by its time-out. */
async function locked<T>(
  database: Database,
  lockWaitMs: number,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (const deadline = performance.now() + lockWaitMs; ; await sleep(lockPollMs)) {
    const done = await database
      .transaction(async (inside) => ((await takeLock(inside)) ? { value: await work(inside) } : null))
      .catch(nullWhenBusy)
    if (done !== null) return done.value
    if (performance.now() > deadline) throw new DatabaseBusy('Another process holds the database.')
  }
}

/** SQLite's writer is exclusive by itself; PostgreSQL's lock ends with the transaction. */
async function takeLock(transaction: Transaction): Promise<boolean> {
  if (transaction.dialect === 'sqlite') return true
  const ask = 'SELECT pg_try_advisory_xact_lock($1) AS taken'
  const { rows } = await transaction.run(ask, [lockNumber], false)
  return rows[0]?.['taken'] === true
}

function nullWhenBusy(error: unknown): null {
  if (error instanceof DatabaseBusy) return null
  throw error
}

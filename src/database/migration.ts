/** Numbered, forward only, each in a transaction of its own, under a lock; a crash resumes where it stopped. */
import type { Database, Dialect, Transaction } from './executor.ts'

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

/** @returns the names of the migrations that were applied now */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<string[]> {
  const types = columnTypes[database.dialect]
  await locked(database, async (transaction) => {
    await transaction.run(
      `CREATE TABLE IF NOT EXISTS migration (name ${types.key} PRIMARY KEY, applied_at ${types.timestamp} NOT NULL)`,
      [],
      false,
    )
  })
  const applied: string[] = []
  for (const migration of await pendingMigrations(database, migrations)) {
    if (await apply(database, migration, types)) applied.push(migration.name)
  }
  return applied
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

async function pendingMigrations(database: Database, all: readonly Migration[]): Promise<Migration[]> {
  const done = await appliedMigrations(database)
  return all.filter((migration) => !done.has(migration.name))
}

/** Another instance may have applied it while this one waited for the lock. */
async function apply(database: Database, migration: Migration, types: ColumnTypes): Promise<boolean> {
  const mark = database.dialect === 'sqlite' ? ['?', '?'] : ['$1', '$2']
  return locked(database, async (transaction) => {
    const found = await transaction.run(
      `SELECT name FROM migration WHERE name = ${mark[0]}`,
      [migration.name],
      false,
    )
    if (found.rows.length > 0) return false
    for (const statement of migration.statements(types, database.dialect))
      await transaction.run(statement, [], false)
    await transaction.run(
      `INSERT INTO migration (name, applied_at) VALUES (${mark.join(', ')})`,
      [migration.name, new Date().toISOString()],
      false,
    )
    return true
  })
}

/** SQLite's writer is exclusive by itself; PostgreSQL's lock ends with the transaction. */
function locked<T>(database: Database, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(async (transaction) => {
    if (transaction.dialect === 'postgres') {
      await transaction.run('SELECT pg_advisory_xact_lock($1)', [lockNumber], false)
    }
    return work(transaction)
  })
}

/** The table of applied migrations, and what a database has applied. */
import type { Database, Executor } from '../executor.ts'
import { type ColumnTypes, columnTypes, type Migration } from '../migration.ts'
import { placeholders } from '../sql-text.ts'
import { formerMigrations } from './before-release.ts'
import { digestOf } from './digest.ts'
import { columnsOf } from './tables.ts'

export interface MigrationRecord {
  name: string
  /** ISO 8601. */
  moment: string
  /** The digest of its statements, as `digestOf` makes it; `null` if it was applied before version 0.2.0. */
  digest: string | null
  /** The oldest version of Tenantry that works on the migrated tables; `null` for a migration of an application. */
  oldestVersion: string | null
}

/** The statement that creates the table on SQLite. */
export const sqliteMigrationTable = createMigrationTable(columnTypes.sqlite)

/** The statement that created the table on both databases before version 0.2.0. */
export const formerMigrationTable = 'CREATE TABLE migration (name TEXT PRIMARY KEY, applied_at TEXT NOT NULL)'

export function createMigrationTable({ key, text, timestamp }: ColumnTypes): string {
  return `CREATE TABLE migration (name ${key} PRIMARY KEY, applied_at ${timestamp} NOT NULL, digest ${text} NOT NULL, oldest_version ${text})`
}

/**
 * @returns the applied migrations in the order of their names; none for a database that was never migrated @throws
 *   DatabaseUnavailable
 */
export async function appliedMigrations(executor: Executor): Promise<MigrationRecord[]> {
  const columns = await columnsOf(executor, 'migration')
  if (columns.size === 0) return []
  const wanted = columns.has('digest') ? 'name, applied_at, digest, oldest_version' : 'name, applied_at'
  const { rows } = await executor.run(`SELECT ${wanted} FROM migration ORDER BY name`, [], false)
  return rows.map((row) => ({
    name: String(row['name']),
    moment: String(row['applied_at']),
    digest: textOrNull(row['digest']),
    oldestVersion: textOrNull(row['oldest_version']),
  }))
}

/** @throws DatabaseUnavailable */
export async function namesOfApplied({ executor }: Pick<Database, 'executor'>): Promise<Set<string>> {
  return new Set((await appliedMigrations(executor)).map(({ name }) => name))
}

/** Newest first. @throws DatabaseUnavailable */
export async function migrationHistory({ executor }: Database): Promise<{ name: string; moment: string }[]> {
  const sql = 'SELECT name, applied_at FROM migration ORDER BY applied_at DESC, name DESC'
  const { rows } = await executor.run(sql, [], false)
  return rows.map((row) => ({ name: String(row['name']), moment: String(row['applied_at']) }))
}

/** @returns the names that belong neither to a known migration nor to one of before version 0.2.0 */
export function unknownMigrations(names: Iterable<string>, known: readonly Migration[]): string[] {
  const all = new Set([...known.map(({ name }) => name), ...formerMigrations])
  return [...names].filter((name) => !all.has(name))
}

/** @param names of applied migrations that are unknown here @returns the problem and its solution */
export function describeUnknown(names: readonly string[]): string {
  const found = `tables of unknown features (${names.join(', ')}).`
  return `${found} Run the command line of the application that has these features instead of tenantry, or the newer version of Tenantry that has created them.`
}

export async function noteApplied(executor: Executor, migration: Migration, moment: string): Promise<void> {
  const place = placeholders(executor.dialect)
  const values = [1, 2, 3, 4].map(place).join(', ')
  await executor.run(
    `INSERT INTO migration (name, applied_at, digest, oldest_version) VALUES (${values})`,
    [migration.name, moment, digestOf(migration), migration.oldestVersion ?? null],
    false,
  )
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

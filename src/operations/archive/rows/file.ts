/** The SQLite file of an archive: the empty tables of the service, and the text of the manifest. */
import type { Database } from '../../../database/executor.ts'
import { migrate } from '../../../database/migrate/apply.ts'
import type { Migration } from '../../../database/migration.ts'
import { quote } from '../../../database/sql-text.ts'
import { openSqliteExclusively } from '../../../database/sqlite/exclusive-database.ts'
import { openForInspection } from '../../../database/sqlite/existing-file.ts'
import { tenantTables } from '../../rows/shape.ts'

/** @param migrations of both kinds of database; the rows that they insert are removed */
export async function createEmptyTables(database: Database, migrations: readonly Migration[]): Promise<void> {
  await migrate(database, migrations)
  const sql =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migration'"
  const { rows } = await database.executor.run(sql, [], false)
  await database.transaction(async (transaction) => {
    await transaction.run('PRAGMA defer_foreign_keys = ON', [], false)
    for (const { name } of rows) await transaction.run(`DELETE FROM ${quote(String(name))}`, [], false)
  })
}

/** @returns the tables with a `tenant_id` that every database with tenants' rows has; the catalogue has further ones */
export async function tenantTableNames(migrations: readonly Migration[]): Promise<Set<string>> {
  await using database = openSqliteExclusively(':memory:')
  await migrate(
    database,
    migrations.filter(({ database: kind }) => kind === 'tenant'),
  )
  return new Set((await tenantTables(database.executor)).map(({ name }) => name))
}

const table = 'manifest'
/** An imported file must declare the table by exactly this statement: a view of its name could evaluate anything. */
export const manifestTable = `CREATE TABLE ${table} (content TEXT NOT NULL)`
const maxBytes = 16 * 1024 * 1024

/** The file must not have a manifest yet. */
export async function writeManifestText(database: Database, text: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.run(manifestTable, [], false)
    await transaction.run(`INSERT INTO ${table} (content) VALUES (?)`, [text], false)
  })
}

/** Does not modify the file. @returns `null` when it cannot be read, for any reason */
export function readManifestText(path: string): string | null {
  try {
    using file = openForInspection(path)
    const object = file.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table)
    if (object?.['sql'] !== manifestTable) return null
    const select = `SELECT content FROM ${table} WHERE octet_length(content) <= ${maxBytes}`
    const content = file.prepare(select).get()?.['content']
    return typeof content === 'string' ? content : null
  } catch {
    return null // the file is missing, damaged, no database, or has no manifest: callers do not distinguish
  }
}

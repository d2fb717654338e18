/** The SQLite file of an archive: the tables of the service without rows, and the text of the manifest. */
import type { Database } from '../../../database/executor.ts'
import { type Migration, migrate } from '../../../database/migration.ts'
import { quote } from '../../../database/sql-text.ts'
import { openSqliteAlone } from '../../../database/sqlite/alone.ts'
import { lookInto } from '../../../database/sqlite/existing-file.ts'
import { tenantTables } from '../../rows/shape.ts'

/** @param migrations of both kinds of database; what they have written into tables is removed */
export async function makeEmpty(database: Database, migrations: readonly Migration[]): Promise<void> {
  await migrate(database, migrations)
  const sql =
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migration'"
  const { rows } = await database.executor.run(sql, [], false)
  await database.transaction(async (transaction) => {
    await transaction.run('PRAGMA defer_foreign_keys = ON', [], false)
    for (const { name } of rows) await transaction.run(`DELETE FROM ${quote(String(name))}`, [], false)
  })
}

/** Those with a `tenant_id` that each database with tenants' rows has; others of that kind are of the catalogue. */
export async function tenantTableNames(migrations: readonly Migration[]): Promise<Set<string>> {
  const database = openSqliteAlone(':memory:')
  try {
    await migrate(
      database,
      migrations.filter(({ database: kind }) => kind === 'tenant'),
    )
    return new Set((await tenantTables(database.executor)).map(({ name }) => name))
  } finally {
    await database.close()
  }
}

const table = 'manifest'
/** As it is written, and as SQLite keeps it: a view of this name could do anything. */
export const noteTable = `CREATE TABLE ${table} (content TEXT NOT NULL)`
const maxBytes = 16 * 1024 * 1024

/** There is none yet. */
export async function writeNote(database: Database, text: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.run(noteTable, [], false)
    await transaction.run(`INSERT INTO ${table} (content) VALUES (?)`, [text], false)
  })
}

/** Changes no byte. @returns `null` when it cannot be read, for whatever reason */
export function readNote(path: string): string | null {
  try {
    const file = lookInto(path)
    try {
      const made = file.prepare("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?").get(table)
      if (made?.['sql'] !== noteTable) return null
      const small = `SELECT content FROM ${table} WHERE octet_length(content) <= ${maxBytes}`
      const content = file.prepare(small).get()?.['content']
      return typeof content === 'string' ? content : null
    } finally {
      file.close()
    }
  } catch {
    return null // no file, no database, no such table, or damaged: all the same to who asks
  }
}

/** Removes the bytes of deleted and changed rows from the files of a database. */
import { type Database, DatabaseUnavailable } from './executor.ts'
import { quote } from './sql-text.ts'
import { rewriteFile } from './sqlite/rewrite-file.ts'

/**
 * SQLite rewrites the file, and writers wait meanwhile; PostgreSQL vacuums the tables.
 * @param path of the file @param tables from which rows were removed
 * @returns the tables that PostgreSQL has not vacuumed @throws DatabaseUnavailable
 */
export async function rewrite(
  database: Database,
  path: string,
  tables: readonly string[],
): Promise<string[]> {
  if (database.dialect === 'postgres') return vacuum(database, tables)
  await rewriteFile(path)
  return []
}

/** A table whose vacuum takes too long is left to the autovacuum of the server. */
async function vacuum(database: Database, tables: readonly string[]): Promise<string[]> {
  const remaining: string[] = []
  for (const table of tables) {
    try {
      await database.executor.run(`VACUUM ${quote(table)}`, [], false)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
      remaining.push(table)
    }
  }
  return remaining
}

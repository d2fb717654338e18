/** Lets a database forget the bytes of what was removed or changed in it: its files hold them for long otherwise. */
import { type Database, DatabaseUnavailable } from './executor.ts'
import { quote } from './sql-text.ts'
import { rewriteFile } from './sqlite/rewrite.ts'

/**
 * On SQLite the file is written anew, and whoever writes to it waits; on PostgreSQL the tables are vacuumed.
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

/** One that takes too long is left to the server, which does it by itself sooner or later. */
async function vacuum(database: Database, tables: readonly string[]): Promise<string[]> {
  const left: string[] = []
  for (const table of tables) {
    try {
      await database.executor.run(`VACUUM ${quote(table)}`, [], false)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
      left.push(table)
    }
  }
  return left
}

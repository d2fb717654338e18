/** Removes the bytes of deleted and changed rows from the files of a database. */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, DatabaseBusy, DatabaseUnavailable } from './executor.ts'
import { quote } from './sql-text.ts'
import { translate } from './sqlite/failure.ts'

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

const writersTimeoutMs = 5000
const readersTimeoutMs = 500
const maxAttempts = 10
/** Between attempts, readers of this process end their snapshots. */
const retryDelayMs = 200

/**
 * Rewrites the file with its present rows only, and empties its journal. Zeroing deleted rows is not enough: pages keep
 * copies of rows that were changed or moved earlier.
 * @throws DatabaseUnavailable; DatabaseBusy also while a reader of an older state keeps the journal
 */
async function rewriteFile(path: string): Promise<void> {
  const connection = new DatabaseSync(path, { timeout: writersTimeoutMs })
  try {
    connection.exec('VACUUM')
    connection.exec(`PRAGMA busy_timeout = ${readersTimeoutMs}`)
    for (let tries = 0; tries < maxAttempts; tries++) {
      await delay(retryDelayMs)
      if (connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0) return
    }
    throw new DatabaseBusy(
      `A reader of an older state of ${path}, such as a backup, keeps its journal. Try again when the reader is done.`,
    )
  } catch (error) {
    throw translate(error)
  } finally {
    connection.close()
  }
}

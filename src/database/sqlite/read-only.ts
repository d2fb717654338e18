/** Reads a SQLite file without changing a byte of it (see `openForInspection`). */
import { DatabaseSync } from 'node:sqlite'
import { type Database, DatabaseUnavailable, type Executor } from '../executor.ts'
import { openForInspection } from './existing-file.ts'
import { SingleConnection } from './single-connection.ts'
import { openingFailed } from './sqlite-database.ts'

/** @throws DatabaseUnavailable, also without a file */
export function openSqliteReadOnly(path: string): Database {
  try {
    return new ReadOnlySqlite(openForInspection(path))
  } catch (error) {
    throw openingFailed(path, error)
  }
}

/** An empty database in place of one that does not exist. */
export function openEmpty(): Database {
  return new ReadOnlySqlite(new DatabaseSync(':memory:', { readOnly: true }))
}

class ReadOnlySqlite extends SingleConnection implements Database {
  transaction<T>(): Promise<T> {
    return Promise.reject(new DatabaseUnavailable('The database is open for reading only.'))
  }

  async snapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    this.connection.exec('BEGIN')
    try {
      return await work(this.executor)
    } finally {
      // A failed statement may have ended the transaction.
      if (this.connection.isTransaction) this.connection.exec('COMMIT')
    }
  }

  check(): Promise<void> {
    return this.transaction()
  }
}

/** Reads a SQLite file without creating files or changing a byte. */
import { DatabaseSync } from 'node:sqlite'
import { type Database, DatabaseUnavailable, type Executor, type Row } from '../executor.ts'
import { openForInspection } from './existing-file.ts'
import { openingFailed } from './sqlite-database.ts'
import { directExecutor } from './statements.ts'

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

class ReadOnlySqlite implements Database {
  readonly dialect = 'sqlite'
  readonly executor: Executor
  readonly #connection: DatabaseSync

  constructor(connection: DatabaseSync) {
    this.#connection = connection
    this.executor = directExecutor(connection)
  }

  executorFor(): Executor {
    return this.executor
  }

  get probe(): Executor {
    return this.executor
  }

  transaction<T>(): Promise<T> {
    return Promise.reject(new DatabaseUnavailable('The database is open for reading only.'))
  }

  async snapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    this.#connection.exec('BEGIN')
    try {
      return await work(this.executor)
    } finally {
      // A failed statement may have ended the transaction.
      if (this.#connection.isTransaction) this.#connection.exec('COMMIT')
    }
  }

  /** In one batch: there are no other readers. */
  async *scan(sql: string, parameters: readonly unknown[]): AsyncGenerator<Row[], void> {
    yield (await this.executor.run(sql, parameters, false)).rows
  }

  onChange(): void {
    // A one-time reader follows no changes.
  }

  check(): Promise<void> {
    return this.transaction()
  }

  readonly isDamaged = false

  async close(): Promise<void> {
    this.#connection.close()
  }
}

/** A look into a SQLite file that leaves nothing behind: no file made, no byte changed. */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { type Database, DatabaseUnavailable, type Executor, type Row } from '../executor.ts'
import { directExecutor } from './direct.ts'
import { cannotBeOpened } from './sqlite-database.ts'

/** @throws DatabaseUnavailable, also where there is no file */
export function openSqliteReadOnly(path: string): Database {
  try {
    return new ReadOnlySqlite(lookInto(path))
  } catch (error) {
    throw cannotBeOpened(path, error)
  }
}

/** Stands for a database that is not there. */
export function openNothing(): Database {
  return new ReadOnlySqlite(new DatabaseSync(':memory:', { readOnly: true }))
}

/**
 * A plain reader would make the files beside the database. Where there are none, nobody has it open and the file
 * alone is all; where there are, they are read with it.
 * @param maxValueBytes a larger row or value is not read, but an error
 */
export function lookInto(path: string, maxValueBytes: number | null = null): DatabaseSync {
  const file = pathToFileURL(path)
  if (!existsSync(`${path}-wal`)) file.searchParams.set('immutable', '1')
  const connection = new DatabaseSync(file, { readOnly: true, limits: limitsOf(maxValueBytes) })
  connection.exec('PRAGMA trusted_schema = OFF')
  return connection
}

/** SQLite has a limit of its own, a billion. */
export function limitsOf(maxValueBytes: number | null): { length?: number } {
  return maxValueBytes === null ? {} : { length: maxValueBytes }
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
    return Promise.reject(new DatabaseUnavailable('The database is open for reading alone.'))
  }

  async snapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    this.#connection.exec('BEGIN')
    try {
      return await work(this.executor)
    } finally {
      // A statement that failed may have ended it.
      if (this.#connection.isTransaction) this.#connection.exec('COMMIT')
    }
  }

  /** In one batch: nobody else reads here. */
  async *scan(sql: string, parameters: readonly unknown[]): AsyncGenerator<Row[], void> {
    yield (await this.executor.run(sql, parameters, false)).rows
  }

  onChange(): void {
    // Whoever looks once follows no changes.
  }

  check(): Promise<void> {
    return this.transaction()
  }

  readonly isDamaged = false

  async close(): Promise<void> {
    this.#connection.close()
  }
}

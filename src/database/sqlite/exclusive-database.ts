/** A SQLite file with one connection that nobody else uses. It leaves no files beside it, however the process ends. */
import { DatabaseSync } from 'node:sqlite'
import type { Database, Executor, Transaction, TransactionOptions } from '../executor.ts'
import { makePrivateFile } from '../private-file.ts'
import { limitsOf } from './existing-file.ts'
import { translate } from './failure.ts'
import { SingleConnection } from './single-connection.ts'
import { openingFailed } from './sqlite-database.ts'

/**
 * Opens such a file. Commits are not synced to the disk; `syncToDisk` does so at the end.
 * @param path `:memory:` for a database that ends with the connection
 * @param maxValueBytes the limit of a row or a value
 * @throws DatabaseUnavailable
 */
export function openSqliteExclusively(path: string, maxValueBytes: number | null = null): Database {
  try {
    if (path !== ':memory:') makePrivateFile(path)
    const connection = new DatabaseSync(path, {
      enableForeignKeyConstraints: true,
      limits: limitsOf(maxValueBytes),
    })
    connection.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY')
    connection.exec('PRAGMA trusted_schema = OFF')
    return new ExclusiveSqliteDatabase(connection)
  } catch (error) {
    throw openingFailed(path, error)
  }
}

class ExclusiveSqliteDatabase extends SingleConnection implements Database {
  /** The caller must not begin a transaction before the previous one has ended. */
  async transaction<T>(
    work: (transaction: Transaction) => Promise<T>,
    { withoutForeignKeys = false }: TransactionOptions = {},
  ): Promise<T> {
    const listeners: (() => void)[] = []
    const run = () =>
      work({
        dialect: 'sqlite',
        run: (sql, parameters, reusable) => this.executor.run(sql, parameters, reusable),
        announce: async () => undefined, // there is no other process
        afterCommit: (listener) => void listeners.push(listener),
      })
    const value = await (withoutForeignKeys ? this.#withoutForeignKeys(run) : this.#inside(run))
    for (const listener of listeners) listener()
    return value
  }

  snapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    return this.#inside(() => work(this.executor))
  }

  async check(): Promise<void> {
    await this.executor.run('SELECT count(*) FROM sqlite_schema', [], false)
  }

  async #withoutForeignKeys<T>(work: () => Promise<T>): Promise<T> {
    this.connection.exec('PRAGMA foreign_keys = OFF')
    try {
      return await this.#inside(work)
    } finally {
      this.connection.exec('PRAGMA foreign_keys = ON')
    }
  }

  async #inside<T>(work: () => Promise<T>): Promise<T> {
    this.connection.exec('BEGIN')
    try {
      const value = await work()
      this.connection.exec('COMMIT')
      return value
    } catch (error) {
      if (this.connection.isTransaction) this.connection.exec('ROLLBACK')
      throw translate(error)
    }
  }
}

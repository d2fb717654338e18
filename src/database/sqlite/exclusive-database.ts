/** A SQLite file that nobody else uses, by one connection: it leaves nothing beside the file, however it ends. */
import { DatabaseSync } from 'node:sqlite'
import type { Database, Executor, Row, Transaction } from '../executor.ts'
import { makePrivateFile } from '../private-file.ts'
import { limitsOf } from './existing-file.ts'
import { translate } from './failure.ts'
import { cannotBeOpened } from './sqlite-database.ts'
import { directExecutor } from './statements.ts'

/**
 * What is written is on the disk when the file is brought there (`syncToDisk`), not with each commit.
 * @param path `:memory:` for one that ends with the connection @param maxValueBytes of a row or a value
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
    throw cannotBeOpened(path, error)
  }
}

class ExclusiveSqliteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly executor: Executor
  readonly #connection: DatabaseSync

  constructor(connection: DatabaseSync) {
    this.#connection = connection
    this.executor = directExecutor(connection)
  }

  /** Nobody waits for anybody. */
  executorFor(): Executor {
    return this.executor
  }

  get probe(): Executor {
    return this.executor
  }

  /** One after the other: who has it alone begins no two at a time. */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const listeners: (() => void)[] = []
    const value = await this.#inside(() =>
      work({
        dialect: 'sqlite',
        run: (sql, parameters, reusable) => this.executor.run(sql, parameters, reusable),
        announce: async () => undefined, // there is nobody to hear of it
        afterCommit: (listener) => void listeners.push(listener),
      }),
    )
    for (const listener of listeners) listener()
    return value
  }

  snapshot<T>(work: (executor: Executor) => Promise<T>): Promise<T> {
    return this.#inside(() => work(this.executor))
  }

  /** In one batch: nobody else reads here. */
  async *scan(sql: string, parameters: readonly unknown[]): AsyncGenerator<Row[], void> {
    yield (await this.executor.run(sql, parameters, false)).rows
  }

  onChange(): void {
    // Nobody else changes it.
  }

  async check(): Promise<void> {
    await this.executor.run('SELECT count(*) FROM sqlite_schema', [], false)
  }

  readonly isDamaged = false

  async close(): Promise<void> {
    this.#connection.close()
  }

  async #inside<T>(work: () => Promise<T>): Promise<T> {
    this.#connection.exec('BEGIN')
    try {
      const value = await work()
      this.#connection.exec('COMMIT')
      return value
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      throw translate(error)
    }
  }
}

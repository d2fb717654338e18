/** A SQLite file behind one connection that nobody else uses. */
import type { DatabaseSync } from 'node:sqlite'
import type { Executor, Row } from '../executor.ts'
import { directExecutor } from './statements.ts'

export abstract class SingleConnection {
  readonly dialect = 'sqlite'
  readonly executor: Executor
  readonly isDamaged = false
  protected readonly connection: DatabaseSync

  constructor(connection: DatabaseSync) {
    this.connection = connection
    this.executor = directExecutor(connection)
  }

  /** There is one user only. */
  executorFor(): Executor {
    return this.executor
  }

  get probe(): Executor {
    return this.executor
  }

  /** Returns all rows in one batch, because there are no other readers. */
  async *scan(sql: string, parameters: readonly unknown[]): AsyncGenerator<Row[], void> {
    yield (await this.executor.run(sql, parameters, false)).rows
  }

  onChange(): void {
    // No other process changes the file, or the reader follows no changes.
  }

  async close(): Promise<void> {
    this.connection.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

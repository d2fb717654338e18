/** One of the transactions that share a commit: each runs in a savepoint. */
import { DatabaseUnavailable, type StatementResult, type Transaction } from '../executor.ts'
import type { SqliteConnection } from './connection.ts'

/** Statements of which SQLite counts the changed rows; others, such as CREATE TABLE, write without a count. */
const countedStatement = /^\s*(select|insert|update|delete|with)\b/i

export interface TransactionOwner {
  announced(change: string): void
  /** Translates an error of node:sqlite. */
  translate(error: unknown): unknown
}

export function batchLost(): DatabaseUnavailable {
  return new DatabaseUnavailable(
    'The database has ended the transaction, for instance because the disk is full.',
  )
}

export class SavepointTransaction implements Transaction {
  readonly dialect = 'sqlite'
  readonly listeners: (() => void)[] = []
  /** Whether the transaction may have changed more than rows, such as the schema. */
  alters = false
  readonly #connection: SqliteConnection
  readonly #owner: TransactionOwner
  #finished = false

  constructor(connection: SqliteConnection, owner: TransactionOwner) {
    this.#connection = connection
    this.#owner = owner
  }

  async run(sql: string, parameters: readonly unknown[], reusable: boolean): Promise<StatementResult> {
    if (this.#finished) throw new Error('A statement was run after its transaction had ended.')
    this.alters ||= !countedStatement.test(sql)
    // Outside of a transaction the statement would be committed at once.
    if (!this.#connection.isTransaction) throw batchLost()
    try {
      return this.#connection.run(sql, parameters, reusable)
    } catch (error) {
      throw this.#owner.translate(error)
    }
  }

  async announce(change: string): Promise<void> {
    this.afterCommit(() => this.#owner.announced(change))
  }

  afterCommit(listener: () => void): void {
    this.listeners.push(listener)
  }

  finish(): void {
    this.#finished = true
  }
}

/** One of the transactions that share a commit: what it does is in a savepoint. */
import { DatabaseUnavailable, type StatementResult, type Transaction } from '../executor.ts'
import type { SqliteConnection } from './connection.ts'

/** What these write is counted; anything else may write as well. */
const countedStatement = /^\s*(select|insert|update|delete|with)\b/i

export interface TransactionOwner {
  announced(change: string): void
  /** Makes of an error of node:sqlite one that callers know. */
  translate(error: unknown): unknown
}

export function batchLost(): DatabaseUnavailable {
  return new DatabaseUnavailable('The transaction was ended by the database, by a full disk for instance.')
}

/** What a transaction of a batch works with. */
export class SavepointTransaction implements Transaction {
  readonly dialect = 'sqlite'
  readonly listeners: (() => void)[] = []
  /** Whether it may have changed more than rows. */
  alters = false
  readonly #connection: SqliteConnection
  readonly #owner: TransactionOwner
  #finished = false

  constructor(connection: SqliteConnection, owner: TransactionOwner) {
    this.#connection = connection
    this.#owner = owner
  }

  async run(sql: string, parameters: readonly unknown[], reusable: boolean): Promise<StatementResult> {
    if (this.#finished) throw new Error('A statement came after its transaction had ended.')
    this.alters ||= !countedStatement.test(sql)
    // Alone it would be committed at once.
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

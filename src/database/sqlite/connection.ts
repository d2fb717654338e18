import type { DatabaseSync } from 'node:sqlite'
import type { StatementResult } from '../executor.ts'
import { Statements } from './statements.ts'

/**
 * A connection that survives failures of its file. A failed statement may end the transaction, and a failed COMMIT or
 * ROLLBACK may leave it open: the connection is then replaced before its next use.
 */
export class SqliteConnection {
  readonly #connect: (again: boolean) => DatabaseSync
  #connection: DatabaseSync
  #statements: Statements
  readonly #limitMs: number | undefined
  #settings = ''
  #isBroken = false

  /**
   * @param connect opens the file, and opens it again after a failure
   * @param limitMs the maximum processor time of a statement that checks its own time, as unbounded reads do
   * @throws what `connect` throws
   */
  constructor(connect: (again: boolean) => DatabaseSync, limitMs?: number) {
    this.#connect = connect
    this.#limitMs = limitMs
    this.#connection = connect(false)
    this.#statements = new Statements(this.#connection, limitMs)
  }

  get isTransaction(): boolean {
    return !this.#isBroken && this.#connection.isTransaction
  }

  /** @throws of node:sqlite, untranslated */
  run(sql: string, parameters: readonly unknown[], reusable: boolean): StatementResult {
    this.#reconnectIfBroken()
    return this.#statements.run(sql, parameters, reusable)
  }

  /** @throws of node:sqlite, untranslated */
  exec(sql: string): void {
    this.#reconnectIfBroken()
    this.#connection.exec(sql)
  }

  /** Applies settings to this connection and to its replacements. @throws of node:sqlite, untranslated */
  configure(pragmas: string): void {
    this.exec(pragmas)
    this.#settings = pragmas
  }

  /** Ends the transaction. Never throws. @param how COMMIT is allowed only if the transaction has written nothing */
  end(how: 'COMMIT' | 'ROLLBACK'): void {
    try {
      if (this.isTransaction) this.#statements.run(how, [], true)
    } catch {
      this.#isBroken = true
    }
  }

  /** @throws of node:sqlite: closing may write */
  close(): void {
    if (this.#connection.isOpen) this.#connection.close()
  }

  #reconnectIfBroken(): void {
    if (!this.#isBroken) return
    try {
      this.close()
    } catch {
      // Unwritten changes are lost already, and were never acknowledged.
    }
    this.#connection = this.#connect(true)
    this.#connection.exec(this.#settings)
    this.#statements = new Statements(this.#connection, this.#limitMs)
    this.#isBroken = false
  }
}

import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Executor, Result } from '../executor.ts'
import { translate } from './failure.ts'
import { Statements } from './statements.ts'

/**
 * Reads of one turn of the event loop share a snapshot: taking and giving back the file's read lock costs
 * more than finding a row. What this process commits ends the snapshot, so that nobody misses a write that
 * was acknowledged; what another process commits is seen one turn later.
 */
export class Reads implements Executor {
  readonly dialect = 'sqlite'
  readonly #statements: Statements
  readonly #begin: StatementSync
  readonly #commit: StatementSync
  readonly #endTurn = (): void => {
    this.#turn = null
    this.endSnapshot()
  }
  #isOpen = false
  #turn: NodeJS.Immediate | null = null

  constructor(connection: DatabaseSync) {
    this.#statements = new Statements(connection)
    this.#begin = connection.prepare('BEGIN')
    this.#commit = connection.prepare('COMMIT')
  }

  async run(sql: string, parameters: readonly unknown[], reusable: boolean): Promise<Result> {
    try {
      if (!this.#isOpen) this.#openSnapshot()
      return this.#statements.run(sql, parameters, reusable)
    } catch (error) {
      throw translate(error)
    }
  }

  /** The next read sees all that is committed. */
  endSnapshot(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#commit.run()
  }

  #openSnapshot(): void {
    this.#begin.run()
    this.#isOpen = true
    this.#turn ??= setImmediate(this.#endTurn)
  }
}

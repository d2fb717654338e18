import type { Executor, StatementResult } from '../executor.ts'
import type { SqliteConnection } from './connection.ts'

/** A statement that takes longer keeps everybody waiting; it belongs to a scan. */
export const maxDirectReadMs = 5

const anyRead = 'SELECT 1 FROM sqlite_schema LIMIT 1'

/**
 * Reads of one turn of the event loop share a snapshot: taking and giving back the file's read lock costs
 * more than finding a row. What this process commits ends the snapshot, so that nobody misses a write that
 * was acknowledged; what another process commits is seen one turn later.
 */
export class SnapshotReader implements Executor {
  readonly dialect = 'sqlite'
  readonly #connection: SqliteConnection
  readonly #translate: (error: unknown) => unknown
  readonly #endTurn = (): void => {
    this.#turn = null
    if (!this.#isHeld) this.endSnapshot()
  }
  #isOpen = false
  #isHeld = false
  #turn: NodeJS.Immediate | null = null

  constructor(connection: SqliteConnection, translate: (error: unknown) => unknown) {
    this.#connection = connection
    this.#translate = translate
  }

  async run(sql: string, parameters: readonly unknown[], reusable: boolean): Promise<StatementResult> {
    try {
      if (!this.#isOpen) this.#openSnapshot()
      return this.#connection.run(sql, parameters, reusable)
    } catch (error) {
      throw this.#translate(error)
    }
  }

  /** Until the snapshot ends, reads see the present state: a commit that is about to come is not on the disk at once. */
  hold(): void {
    if (!this.#isOpen) this.#openSnapshot()
    this.#connection.run(anyRead, [], true) // SQLite takes the snapshot with the first read
    this.#isHeld = true
  }

  /** The next read sees all that is committed. Never throws: it runs where nobody waits for it. */
  endSnapshot(): void {
    this.#isHeld = false
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#connection.end('COMMIT')
  }

  close(): void {
    this.endSnapshot()
    this.#connection.close()
  }

  #openSnapshot(): void {
    this.#connection.run('BEGIN', [], true)
    this.#isOpen = true
    this.#turn ??= setImmediate(this.#endTurn)
  }
}

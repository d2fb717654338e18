import type { Executor, StatementResult } from '../executor.ts'
import type { SqliteConnection } from './connection.ts'
import type { WatchedFile } from './watched-file.ts'

/** The limit of a statement on the main thread, where it blocks all requests. A longer one has to run as a scan. */
export const maxDirectReadMs = 5

const anyRead = 'SELECT 1 FROM sqlite_schema LIMIT 1'

/**
 * Runs the reads of one turn of the event loop on one snapshot, because acquiring and releasing the file's read lock
 * costs more than finding a row. A commit of this process ends the snapshot, so that every acknowledged write is
 * visible; a commit of another process becomes visible one turn later.
 */
export class SnapshotReader implements Executor {
  readonly dialect = 'sqlite'
  readonly #connection: SqliteConnection
  readonly #translate: (error: unknown) => unknown
  readonly #file: WatchedFile
  readonly #endTurn = (): void => {
    this.#turn = null
    if (!this.#isHeld) this.endSnapshot()
  }
  #isOpen = false
  #isHeld = false
  #turn: NodeJS.Immediate | null = null

  constructor(connection: SqliteConnection, file: WatchedFile, translate: (error: unknown) => unknown) {
    this.#connection = connection
    this.#file = file
    this.#translate = translate
  }

  async run(sql: string, parameters: readonly unknown[], reusable: boolean): Promise<StatementResult> {
    try {
      if (!this.#isOpen) {
        this.#file.checkNowAndThen()
        this.#openSnapshot()
      }
      return this.#connection.run(sql, parameters, reusable)
    } catch (error) {
      throw this.#translate(error)
    }
  }

  /** Keeps the present state visible until `endSnapshot`, because the coming commit is not on the disk at once. */
  hold(): void {
    if (!this.#isOpen) this.#openSnapshot()
    this.#connection.run(anyRead, [], true) // SQLite takes the snapshot at the first read
    this.#isHeld = true
  }

  /** Makes the next read see everything committed. Never throws: it runs outside of any request. */
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

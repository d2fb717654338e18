import type { SqliteConnection } from './connection.ts'

/** The interval of the poll for commits of other processes, such as commands beside a running service. */
const pollIntervalMs = 500

/**
 * Detects commits that other connections, usually of other processes, have made in the file of the given connection.
 */
export class ForeignCommits {
  readonly #connection: SqliteConnection
  readonly #notify: () => void
  readonly #timer: NodeJS.Timeout
  #seen: unknown
  #isIgnoring = false

  constructor(connection: SqliteConnection, notify: () => void) {
    this.#connection = connection
    this.#notify = notify
    this.#seen = this.#read()
    this.#timer = setInterval(() => this.#poll(), pollIntervalMs).unref()
  }

  /**
   * Runs the restart of the write-ahead log (see `DurableLog`), for which another connection of this process commits
   * without changing a row. That commit is not reported; commits of other processes meanwhile are.
   * @param restart commits on the other connection
   * @param version reads, on that other connection, a number that changes with every commit except its own
   */
  async ignoring(restart: () => Promise<unknown>, version: () => Promise<unknown>): Promise<void> {
    const before = await version()
    this.#poll()
    this.#isIgnoring = true
    try {
      await restart()
      this.#seen = this.#read()
    } finally {
      this.#isIgnoring = false
    }
    if ((await version()) !== before) this.#notify()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #poll(): void {
    if (this.#isIgnoring) return
    const now = this.#read()
    if (now !== this.#seen) this.#notify()
    this.#seen = now
  }

  /**
   * @returns a number that changes with commits of other connections; `null` for an unreadable file counts as a
   *   change
   */
  #read(): unknown {
    try {
      return this.#connection.run('PRAGMA data_version', [], true).rows[0]?.['data_version']
    } catch {
      return null
    }
  }
}

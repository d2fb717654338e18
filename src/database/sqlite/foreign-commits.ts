import type { SqliteConnection } from './connection.ts'

/** The interval of the poll for commits of other processes, such as commands beside a running service. */
const pollIntervalMs = 500

/** Detects commits of other connections than the given one. */
export class ForeignCommits {
  readonly #connection: SqliteConnection
  readonly #notify: () => void
  readonly #timer: NodeJS.Timeout
  #seen: unknown

  constructor(connection: SqliteConnection, notify: () => void) {
    this.#connection = connection
    this.#notify = notify
    this.#seen = this.#read()
    this.#timer = setInterval(() => this.#poll(), pollIntervalMs).unref()
  }

  /**
   * Runs work in which another connection of this process commits. That commit changes nothing, and is not reported.
   * @param version read on that connection: it changes with every commit but its own
   */
  async ignoring(work: () => Promise<unknown>, version: () => Promise<unknown>): Promise<void> {
    const before = await version()
    this.#poll()
    await work()
    this.#seen = this.#read()
    if ((await version()) !== before) this.#notify()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #poll(): void {
    const now = this.#read()
    if (now !== this.#seen) this.#notify()
    this.#seen = now
  }

  /** Changes with commits of other connections. An unreadable file, and its recovery, count as changes. */
  #read(): unknown {
    try {
      return this.#connection.run('PRAGMA data_version', [], true).rows[0]?.['data_version']
    } catch {
      return null
    }
  }
}

import type { SqliteConnection } from './connection.ts'

/** How often commits of other processes (the command line beside a running service) are looked for. */
const pollIntervalMs = 500

/** Tells of commits by anyone but one connection. */
export class ForeignCommits {
  readonly #connection: SqliteConnection
  readonly #notify: () => void
  readonly #timer: NodeJS.Timeout
  #seen: unknown

  constructor(connection: SqliteConnection, tell: () => void) {
    this.#connection = connection
    this.#notify = tell
    this.#seen = this.#read()
    this.#timer = setInterval(() => this.#poll(), pollIntervalMs).unref()
  }

  /**
   * Runs work that another connection of ours commits, which changes nothing and is not told of.
   * @param version of that connection: it moves with every commit but its own
   */
  async except(work: () => Promise<unknown>, version: () => Promise<unknown>): Promise<void> {
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

  /** It moves only when somebody else has committed. A file that cannot be read counts as changed, and as changed again once it can. */
  #read(): unknown {
    try {
      return this.#connection.run('PRAGMA data_version', [], true).rows[0]?.['data_version']
    } catch {
      return null
    }
  }
}

/** Checks whether a path still leads to the file that was opened there: writes to a removed file would be lost. */

import { statSync } from 'node:fs'
import { DatabaseLost } from '../executor.ts'

/** The longest time between the checks before reads. */
const maxAgeMs = 1000

export class WatchedFile {
  readonly #path: string
  readonly #device: bigint
  readonly #inode: bigint
  #checkedAtMs = performance.now()
  #isLost = false

  /** @param path of a file that is open @throws of node:fs */
  constructor(path: string) {
    this.#path = path
    const { dev, ino } = statSync(path, { bigint: true })
    this.#device = dev
    this.#inode = ino
  }

  /** Whether the last check has failed. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** Checks the file, which takes a few microseconds. @returns `null` while the path leads to the opened file */
  check(): DatabaseLost | null {
    this.#checkedAtMs = performance.now()
    const found = this.#find()
    this.#isLost = found?.ino !== this.#inode || found.dev !== this.#device
    if (!this.#isLost) return null
    const change = found === undefined ? 'was removed' : 'was replaced by another file'
    return new DatabaseLost('missing', `The database file ${this.#path} ${change} while it was open.`)
  }

  /** Checks at most once a second, for callers that ask more often. @throws DatabaseLost */
  checkNowAndThen(): void {
    if (!this.#isLost && performance.now() - this.#checkedAtMs < maxAgeMs) return
    this.require()
  }

  /** @throws DatabaseLost */
  require(): void {
    const lost = this.check()
    if (lost !== null) throw lost
  }

  #find() {
    try {
      return statSync(this.#path, { bigint: true, throwIfNoEntry: false })
    } catch {
      return undefined // also when the folder is out of reach
    }
  }
}

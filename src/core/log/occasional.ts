/** What is worth a line of the log now and then, however often it happens and under however many names. */
const windowMs = 10 * 60_000
const maxPerWindow = 100

export class Occasional {
  readonly #clock: () => Date
  readonly #told = new Set<string>()
  #windowEndsAt = 0

  constructor(clock: () => Date) {
    this.#clock = clock
  }

  /** @returns whether to tell of it: once in ten minutes for each key, and of a hundred keys at most */
  isDue(key: string): boolean {
    const moment = this.#clock().getTime()
    if (moment >= this.#windowEndsAt) {
      this.#told.clear()
      this.#windowEndsAt = moment + windowMs
    }
    if (this.#told.size >= maxPerWindow || this.#told.has(key)) return false
    this.#told.add(key)
    return true
  }
}

/** Checks, after a failure, whether a database accepts writes again. The rate of checks is bounded. */

/** How long a failed check is reported without another one. */
const failureCacheMs = 500

export class WriteCheck {
  readonly #write: () => Promise<void>
  #isNeeded = false
  #running: Promise<void> | null = null
  #failure: { error: unknown; untilMs: number } | null = null

  /** @param write writes several pages, more than a usual change, so that a nearly full disk counts as full */
  constructor(write: () => Promise<void>) {
    this.#write = write
  }

  /** Requires a check after a failed statement or commit. */
  require(): void {
    this.#isNeeded = true
  }

  /** @throws what the write throws, or has thrown recently */
  async run(): Promise<void> {
    if (!this.#isNeeded) return
    if (this.#failure !== null && performance.now() < this.#failure.untilMs) throw this.#failure.error
    this.#running ??= this.#check().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #check(): Promise<void> {
    this.#isNeeded = false // a failure during the check requires another one
    try {
      await this.#write()
      this.#failure = null
    } catch (error) {
      this.#isNeeded = true
      this.#failure = { error, untilMs: performance.now() + failureCacheMs }
      throw error
    }
  }
}

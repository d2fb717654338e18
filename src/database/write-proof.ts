/** Tests whether a database accepts writes again after a failure, at a bounded rate. */

/** How long a failed test is reported without another test. */
const failureCacheMs = 500

export class WriteProof {
  readonly #write: () => Promise<void>
  #isNeeded = false
  #running: Promise<void> | null = null
  #failure: { error: unknown; untilMs: number } | null = null

  /** @param write writes several pages, more than a usual change, so that a nearly full disk counts as full */
  constructor(write: () => Promise<void>) {
    this.#write = write
  }

  /** Requires a test after a failed statement or commit. */
  require(): void {
    this.#isNeeded = true
  }

  /** @throws what the write throws, or has thrown recently */
  async prove(): Promise<void> {
    if (!this.#isNeeded) return
    if (this.#failure !== null && performance.now() < this.#failure.untilMs) throw this.#failure.error
    this.#running ??= this.#prove().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #prove(): Promise<void> {
    this.#isNeeded = false // a failure during the test requires another one
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

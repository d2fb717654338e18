/** Whether a database takes writes again after a failure: readiness tries one, at a bounded rate. */

/** How long a failed proof is told again: whoever asks meanwhile costs nothing. */
const failureCacheMs = 500

export class WriteProof {
  readonly #write: () => Promise<void>
  #isNeeded = false
  #running: Promise<void> | null = null
  #failure: { error: unknown; untilMs: number } | null = null

  /** @param write some pages, so that a disk with room for one page less than that of a usual change counts as full */
  constructor(write: () => Promise<void>) {
    this.#write = write
  }

  /** A statement or a commit has failed: the next who asks proves that writes succeed. */
  require(): void {
    this.#isNeeded = true
  }

  /** @throws what the write throws, or has thrown a moment ago */
  async prove(): Promise<void> {
    if (!this.#isNeeded) return
    if (this.#failure !== null && performance.now() < this.#failure.untilMs) throw this.#failure.error
    this.#running ??= this.#prove().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #prove(): Promise<void> {
    this.#isNeeded = false // what fails meanwhile needs another proof
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

/** Keeps repeated work apart: the first time waits for nothing, the next ones until the interval has passed. */
export class Pause {
  readonly #everyMs: number
  #beganMs = Number.NEGATIVE_INFINITY

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /** The work was done now. */
  begin(): void {
    this.#beganMs = performance.now()
  }

  async wait(): Promise<void> {
    const leftMs = this.#beganMs + this.#everyMs - performance.now()
    // One turn of the event loop at least, for what has arrived together.
    if (leftMs > 1) await new Promise((resolve) => setTimeout(resolve, leftMs))
    else await new Promise((resolve) => setImmediate(resolve))
  }
}

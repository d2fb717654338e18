/** Spaces repeated work. The first run does not wait; later ones wait until the interval has passed. */
export class Throttle {
  readonly #everyMs: number
  #beganMs = Number.NEGATIVE_INFINITY

  /** @param everyMs from the beginning of one run to the next, in milliseconds */
  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /** Records that a run begins now. */
  begin(): void {
    this.#beganMs = performance.now()
  }

  /** Waits at least one turn of the event loop, so that one run covers events that arrive together. */
  async wait(): Promise<void> {
    const leftMs = this.#beganMs + this.#everyMs - performance.now()
    if (leftMs > 1) await new Promise((resolve) => setTimeout(resolve, leftMs))
    else await new Promise((resolve) => setImmediate(resolve))
  }
}

/**
 * Repeats a piece of work when it is woken, one pass at a time. Any number of wake-ups during a pass cause one more
 * pass, so that the last pass sees everything that happened before the last wake-up.
 */
export class CoalescingLoop {
  readonly #pass: () => Promise<void>
  readonly #failed: (error: unknown) => void
  #running: Promise<void> | null = null
  #isWoken = false

  /** @param failed called when a pass throws; the next wake-up starts the next pass */
  constructor(pass: () => Promise<void>, failed: (error: unknown) => void) {
    this.#pass = pass
    this.#failed = failed
  }

  get isRunning(): boolean {
    return this.#running !== null
  }

  wake(): void {
    this.#isWoken = true
    this.#running ??= this.#run()
  }

  /** Waits for the pass in progress and the requested one. */
  async settled(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      while (this.#isWoken) {
        this.#isWoken = false
        await this.#pass()
      }
    } catch (error) {
      this.#failed(error)
    }
    this.#running = null
  }
}

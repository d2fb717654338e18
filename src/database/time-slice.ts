/** Divides long work into slices, between which other work gets a turn of the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises'

const defaultMs = 5

export class TimeSlice {
  readonly #maxMs: number
  #beganAtMs = performance.now()

  constructor(maxMs = defaultMs) {
    this.#maxMs = maxMs
  }

  /** @returns `null` while the slice lasts, else a promise of the next turn, in which a new slice begins */
  pause(): Promise<void> | null {
    return performance.now() - this.#beganAtMs < this.#maxMs ? null : this.turn()
  }

  async turn(): Promise<void> {
    await nextTurn()
    this.#beganAtMs = performance.now()
  }
}

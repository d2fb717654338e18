/** Long work in pieces, with turns of the event loop between them: nobody else waits longer than a piece takes. */
import { setImmediate as nextTurn } from 'node:timers/promises'

const usualMs = 5

export class TimeSlice {
  readonly #maxMs: number
  #beganAtMs = performance.now()

  constructor(maxMs = usualMs) {
    this.#maxMs = maxMs
  }

  /** @returns `null` while the piece may go on, else a promise of the next turn, in which a new piece begins */
  pause(): Promise<void> | null {
    return performance.now() - this.#beganAtMs < this.#maxMs ? null : this.turn()
  }

  async turn(): Promise<void> {
    await nextTurn()
    this.#beganAtMs = performance.now()
  }
}

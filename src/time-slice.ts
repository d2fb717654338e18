/** Long work in pieces, with turns of the event loop between them: nobody else waits longer than a piece takes. */
import { setImmediate as nextTurn } from 'node:timers/promises'

const maxSliceMs = 5

export class TimeSlice {
  #beganAtMs = performance.now()

  /** @returns `null` while the piece may go on, else a promise of the next turn, in which a new piece begins */
  pause(): Promise<void> | null {
    return performance.now() - this.#beganAtMs < maxSliceMs ? null : this.turn()
  }

  async turn(): Promise<void> {
    await nextTurn()
    this.#beganAtMs = performance.now()
  }
}

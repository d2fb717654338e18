/** Spreads work over turns of the event loop, in a fair order of its callers. */
import { TimeSlice } from '../../database/time-slice.ts'
import { type Path, TurnQueue } from './turn-queue.ts'

/** How long work begins in one turn. It is short, because the server accepts one new connection in each turn. */
const defaultTurnMs = 1

export class TurnScheduler {
  readonly #waiting = new TurnQueue<() => void>()
  readonly #maxTurnMs: number
  #isServing = false

  /** @param maxTurnMs work begins in a turn for so long; 0: one piece of work in each turn */
  constructor(maxTurnMs = defaultTurnMs) {
    this.#maxTurnMs = maxTurnMs
  }

  /** Whether any work waits or runs. */
  get isServing(): boolean {
    return this.#isServing
  }

  /** Waits for a turn. @param paths the flows in which the work waits, see `TurnQueue` */
  take(...paths: readonly Path[]): Promise<void> {
    return new Promise((serve) => {
      this.#waiting.push(paths, serve)
      if (!this.#isServing) void this.#serveAll()
    })
  }

  async #serveAll(): Promise<void> {
    this.#isServing = true
    const slice = new TimeSlice(this.#maxTurnMs)
    await slice.turn()
    for (let serve = this.#waiting.shift(); serve !== undefined; serve = this.#waiting.shift()) {
      serve()
      await workYielded()
      await slice.pause()
    }
    this.#isServing = false
  }
}

/** Resolves when the work waits for something other than promises. */
function workYielded(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}

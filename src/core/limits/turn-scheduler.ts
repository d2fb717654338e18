/** Schedules work fairly over turns of the event loop, about a millisecond in each. */
import { FairQueue } from '../../database/fair-queue.ts'
import { TimeSlice } from '../../database/time-slice.ts'

/** Short, because the server accepts one new connection in each turn of the event loop. */
const maxTurnMs = 1

export class TurnScheduler {
  readonly #waiting = new FairQueue<() => void>()
  #isServing = false

  /** Whether work waits or is being served. */
  get isServing(): boolean {
    return this.#isServing
  }

  /** @param path the names of nested flows, the widest first; the flows of one level take turns */
  take(path: readonly string[]): Promise<void> {
    return new Promise((serve) => {
      this.#waiting.push(path, serve)
      if (!this.#isServing) void this.#serveAll()
    })
  }

  async #serveAll(): Promise<void> {
    this.#isServing = true
    const slice = new TimeSlice(maxTurnMs)
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

/**
 * Orders requests that arrive together: tenants take turns, and so do the callers of each tenant. A burst of one caller
 * delays the others by a turn of the event loop, not by the burst.
 */
import { TurnScheduler } from '../../../core/limits/turn-scheduler.ts'

/** Requests that arrive together are served at once up to this total time. */
const maxTurnMs = 5

export class RequestTurns {
  readonly #turns = new TurnScheduler()
  /** When the requests of this turn began; `null` before the first. */
  #beganAtMs: number | null = null

  /**
   * @param tenantId empty while it is unknown
   * @param caller a user, or the network of a client
   * @param serve called at once, or in its turn
   */
  take(tenantId: string, caller: string, serve: () => void): void {
    const nowMs = performance.now()
    if (this.#beganAtMs === null) {
      this.#beganAtMs = nowMs
      setImmediate(() => {
        this.#beganAtMs = null
      })
    }
    if (!this.#turns.isServing && nowMs - this.#beganAtMs < maxTurnMs) serve()
    else void this.#turns.take([tenantId, caller]).then(serve)
  }
}

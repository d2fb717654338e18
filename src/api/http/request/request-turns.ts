/**
 * Who is served when many requests arrive at once: tenants take turns, and so do the callers of each. A burst of one of
 * them makes the others wait for a turn of the event loop, not for the burst.
 */
import { TurnScheduler } from '../../../core/limits/turn-scheduler.ts'

/** Requests that arrive together are served at once while they have taken less. */
const maxTurnMs = 5

export class RequestTurns {
  readonly #turns = new TurnScheduler()
  /** When the requests that arrived together began; `null` before the first of them. */
  #beganAtMs: number | null = null

  /**
   * @param tenantId empty when it is not known yet
   * @param caller a user, or the network of a client
   * @param serve called at once, or when its turn comes
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

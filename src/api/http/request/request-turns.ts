/**
 * Orders requests that arrive together: callers take turns (`callerPaths`). A burst of one caller delays the others by a
 * turn of the event loop, not by the burst.
 */
import { callerPaths } from '../../../core/limits/caller.ts'
import { TurnScheduler } from '../../../core/limits/turn-scheduler.ts'

/** Requests that arrive together are served at once up to this total time. */
const maxTurnMs = 5

interface TurnCaller {
  /** Empty while it is unknown. */
  tenantId: string
  actor: { id: string } | null
  address: string
}

export class RequestTurns {
  readonly #turns = new TurnScheduler()
  /** When the requests of this turn began; `null` before the first. */
  #beganAtMs: number | null = null

  /**
   * @param caller its paths are needed only if it waits
   * @param serve called at once, or in its turn
   */
  take({ tenantId, actor, address }: TurnCaller, serve: () => void): void {
    const nowMs = performance.now()
    if (this.#beganAtMs === null) {
      this.#beganAtMs = nowMs
      setImmediate(() => {
        this.#beganAtMs = null
      })
    }
    if (!this.#turns.isServing && nowMs - this.#beganAtMs < maxTurnMs) serve()
    else void this.#turns.take(...callerPaths(tenantId, actor, address)).then(serve)
  }
}

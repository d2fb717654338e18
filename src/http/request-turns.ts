/**
 * Who is served when many requests arrive at once: tenants take turns, and so do the callers of each. A burst of one of
 * them makes the others wait for a turn of the event loop, not for the burst.
 */
import type { FastifyRequest } from 'fastify'
import { FairQueue } from '../hashing/fair-queue.ts'
import { clientNetwork } from '../network.ts'
import { TimeSlice } from '../time-slice.ts'

/** Requests that arrive together are served at once while they have taken less. */
const maxTurnMs = 5

export class RequestTurns {
  readonly #waiting = new FairQueue<() => void>()
  /** When the requests that arrived together began; `null` before the first of them. */
  #beganAtMs: number | null = null
  #isServing = false

  /** @param request that is admitted @param serve called at once, or when its turn comes */
  take({ admitted, ip }: FastifyRequest, serve: () => void): void {
    const nowMs = performance.now()
    if (this.#beganAtMs === null) {
      this.#beganAtMs = nowMs
      setImmediate(() => {
        this.#beganAtMs = null
      })
    }
    if (!this.#isServing && nowMs - this.#beganAtMs < maxTurnMs) {
      serve()
      return
    }
    this.#waiting.push([admitted?.tenant.id ?? '', admitted?.actor?.id ?? clientNetwork(ip)], serve)
    if (!this.#isServing) void this.#serveInTurn()
  }

  async #serveInTurn(): Promise<void> {
    this.#isServing = true
    const slice = new TimeSlice()
    await slice.turn()
    for (let serve = this.#waiting.shift(); serve !== undefined; serve = this.#waiting.shift()) {
      serve()
      await servedSoFar()
      await slice.pause()
    }
    this.#isServing = false
  }
}

/** Resolves when what was begun waits for something else than promises. */
function servedSoFar(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}

/**
 * Bounds the replies that are read from databases at once, because each holds in memory what it has read. Further
 * replies wait; tenants take turns, and so do the callers of each tenant.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { FairQueue } from '../../database/fair-queue.ts'
import type { Context } from '../context.ts'
import { callerPath } from './caller.ts'
import { ConcurrencyLimiter, fairShare } from './concurrency-limiter.ts'

type Release = () => void
type Serve = (release: Release) => void

export class ReadLimiter {
  readonly #max: number
  readonly #held = new ConcurrencyLimiter()
  /** The waiting callers of each tenant, in the order of the tenants' turns. */
  readonly #waiting = new Map<string, FairQueue<Serve>>()

  constructor(max: number) {
    this.#max = max
  }

  /** @param work receives whether it has waited: its client may have disconnected meanwhile */
  async run<T>(context: Context, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const acquired = this.#take(...callerPath(context))
    const hasWaited = acquired instanceof Promise
    const release = hasWaited ? await acquired : acquired
    try {
      // Replies that are refused at once would otherwise pass their permits to hundreds of others in one turn.
      if (hasWaited) await nextTurn()
      return await work(hasWaited)
    } finally {
      release()
    }
  }

  /** Without waiting when the tenant may have a permit now. */
  #take(tenantId: string, caller: string): Release | Promise<Release> {
    const queue = this.#waiting.get(tenantId)
    const release = queue === undefined ? this.#acquire(tenantId) : null
    if (release !== null) return release
    const { promise, resolve } = Promise.withResolvers<Release>()
    const flow = queue ?? new FairQueue<Serve>()
    flow.push([caller], resolve)
    this.#waiting.set(tenantId, flow)
    return promise
  }

  #acquire(tenantId: string): Release | null {
    const release = this.#held.acquire(tenantId, this.#share())
    if (release === null) return null
    return () => {
      release()
      if (this.#waiting.size > 0) this.#serve()
    }
  }

  /** The number of permits that one tenant may hold; 0 when all permits are held. */
  #share(): number {
    const { total } = this.#held
    return total < this.#max ? fairShare(this.#max, total) : 0
  }

  #serve(): void {
    for (const [tenantId, queue] of this.#waiting) {
      const release = this.#acquire(tenantId)
      if (release === null) continue
      this.#waiting.delete(tenantId)
      const serve = queue.shift()
      // The iteration reaches the tenant again after all others that wait.
      if (queue.size > 0) this.#waiting.set(tenantId, queue)
      serve?.(release)
    }
  }
}

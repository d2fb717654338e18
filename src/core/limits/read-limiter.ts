/**
 * Replies that are being read at once: each holds what it has read so far. The others wait before they read anything;
 * tenants take turns, and so do the callers of each.
 */

import { FairQueue } from '../../database/fair-queue.ts'
import type { Context } from '../context.ts'
import { clientNetwork } from '../network.ts'
import { ConcurrencyLimiter, fairShare } from './concurrency-limiter.ts'

type GiveBack = () => void
type Serve = (giveBack: GiveBack) => void

export class ReadLimiter {
  readonly #max: number
  readonly #held = new ConcurrencyLimiter()
  /** By tenant, in the order of their turns. */
  readonly #waiting = new Map<string, FairQueue<Serve>>()

  constructor(max: number) {
    this.#max = max
  }

  /** @param work is told whether it had to wait: whoever asked for it may have gone away meanwhile */
  async during<T>(context: Context, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const slot = this.#take(...callerOf(context))
    const hasWaited = slot instanceof Promise
    const giveBack = hasWaited ? await slot : slot
    try {
      return await work(hasWaited)
    } finally {
      giveBack()
    }
  }

  /** Without waiting where the tenant may have one now. */
  #take(tenantId: string, caller: string): GiveBack | Promise<GiveBack> {
    const queue = this.#waiting.get(tenantId)
    const giveBack = queue === undefined ? this.#acquire(tenantId) : null
    if (giveBack !== null) return giveBack
    const { promise, resolve } = Promise.withResolvers<GiveBack>()
    const flow = queue ?? new FairQueue<Serve>()
    flow.push([caller], resolve)
    this.#waiting.set(tenantId, flow)
    return promise
  }

  #acquire(tenantId: string): GiveBack | null {
    const release = this.#held.acquire(tenantId, this.#share())
    if (release === null) return null
    return () => {
      release()
      if (this.#waiting.size > 0) this.#serve()
    }
  }

  /** Nothing is left for anybody when all are taken. */
  #share(): number {
    const { total } = this.#held
    return total < this.#max ? fairShare(this.#max, total) : 0
  }

  #serve(): void {
    for (const [tenantId, queue] of this.#waiting) {
      const giveBack = this.#acquire(tenantId)
      if (giveBack === null) continue
      this.#waiting.delete(tenantId)
      const serve = queue.shift()
      // Iteration comes to it again, after all that wait now.
      if (queue.size > 0) this.#waiting.set(tenantId, queue)
      serve?.(giveBack)
    }
  }
}

/** Whose turn it is: tenants take turns, and so do the callers of each. */
export function callerOf({ owner, actor, clientAddress }: Context): [tenantId: string, caller: string] {
  return [owner ?? '', actor?.id ?? clientNetwork(clientAddress ?? '')]
}

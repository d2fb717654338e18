/**
 * Bounds the replies that are read from databases at once, because each holds in memory what it has read. Further
 * replies wait. A tenant, and a network of strangers, has a quarter of the permits at most.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { FairQueue } from '../../database/fair-queue.ts'
import type { Context } from '../context.ts'
import { clientNetwork } from '../network.ts'
import { ConcurrencyLimiter, fairShare } from './concurrency-limiter.ts'

type Release = () => void
type Serve = (release: Release) => void

interface Holder {
  tenantId: string
  /** The network of strangers, otherwise `null`. */
  network: string | null
}

interface Waiting extends Holder {
  /** By caller. */
  queue: FairQueue<Serve>
}

export class ReadLimiter {
  readonly #max: number
  readonly #ofTenants = new ConcurrencyLimiter()
  readonly #ofNetworks = new ConcurrencyLimiter()
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Waiting>()

  constructor(max: number) {
    this.#max = max
  }

  /** @param work receives whether it has waited: its client may have disconnected meanwhile */
  async run<T>(context: Context, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const acquired = this.#take(context)
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

  /** Without waiting when the caller may have a permit now. */
  #take({ owner, actor, clientAddress }: Context): Release | Promise<Release> {
    const isStranger = actor === null && clientAddress !== null
    const holder = { tenantId: owner ?? '', network: isStranger ? clientNetwork(clientAddress) : null }
    const key = holder.network === null ? holder.tenantId : `${holder.tenantId} ${holder.network}`
    const present = this.#waiting.get(key)
    const release = present === undefined ? this.#acquire(holder) : null
    if (release !== null) return release
    const { promise, resolve } = Promise.withResolvers<Release>()
    const waiting = present ?? { ...holder, queue: new FairQueue<Serve>() }
    waiting.queue.push([actor?.id ?? ''], resolve)
    this.#waiting.set(key, waiting)
    return promise
  }

  #acquire({ tenantId, network }: Holder): Release | null {
    const max = this.#share()
    const ofTenant = this.#ofTenants.acquire(tenantId, max)
    if (ofTenant === null) return null
    const ofNetwork = network === null ? null : this.#ofNetworks.acquire(network, max)
    if (network !== null && ofNetwork === null) {
      ofTenant()
      return null
    }
    return () => {
      ofTenant()
      ofNetwork?.()
      if (this.#waiting.size > 0) this.#serve()
    }
  }

  /** The number of permits that one holder may have; 0 when all permits are held. */
  #share(): number {
    const { total } = this.#ofTenants
    return total < this.#max ? fairShare(this.#max, total) : 0
  }

  #serve(): void {
    for (const [key, waiting] of this.#waiting) {
      const release = this.#acquire(waiting)
      if (release === null) continue
      this.#waiting.delete(key)
      const serve = waiting.queue.shift()
      // The iteration reaches the holder again after all others that wait.
      if (waiting.queue.size > 0) this.#waiting.set(key, waiting)
      serve?.(release)
    }
  }
}

/**
 * Bounds the replies that are read from databases at once, because each holds in memory what it has read. Further
 * replies wait. A tenant, and a network of strangers, has a quarter of the permits at most.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { fairShareText, type Limit } from '../../database/limit.ts'
import type { Context } from '../context.ts'
import { clientNetwork } from '../network.ts'
import { type Bound, ConcurrencyLimiter } from './concurrency-limiter.ts'

const maxReads = 32

export const readLimit: Limit = {
  name: 'replies that are read from databases at once, lists and GraphQL operations each',
  kind: 'permits',
  bounds: { instance: maxReads, tenant: fairShareText, 'address without a token': fairShareText },
  beyond: 'the request waits; tenants take turns',
  page: 'security/strangers.md#what-bounds-every-request',
}

export class ReadLimiter {
  readonly #permits: ConcurrencyLimiter

  constructor(max = maxReads) {
    this.#permits = new ConcurrencyLimiter(max)
  }

  /** @param work receives whether it has waited: its client may have disconnected meanwhile */
  async run<T>(context: Context, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const acquired = this.#permits.wait(this.#boundsOf(context), context.actor?.id ?? '')
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

  #boundsOf({ owner, actor, clientAddress }: Context): () => readonly Bound[] {
    const tenant = owner ?? ''
    const isStranger = actor === null && clientAddress !== null
    const network = isStranger ? `from ${clientNetwork(clientAddress)}` : null
    return () => {
      const max = this.#permits.isFull ? 0 : this.#permits.fairShare
      const ofTenant = { holder: tenant, max }
      return network === null ? [ofTenant] : [ofTenant, { holder: network, max }]
    }
  }
}

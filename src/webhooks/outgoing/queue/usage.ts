import { type Line, subscriptionKey } from './lane.ts'

/** Retries get at most this share of every bound: the rest is for first attempts alone. */
const retryShare = 0.5

export interface Bounds {
  total: number
  tenant: number
  subscription: number
}

interface Count {
  all: number
  retries: number
}

/** What is in use of something that is bounded: altogether, by each tenant and by each subscription. */
export class Usage {
  readonly #total: Count = { all: 0, retries: 0 }
  readonly #tenants = new Map<string, Count>()
  /** By `subscriptionKey`. */
  readonly #subscriptions = new Map<string, Count>()

  get total(): number {
    return this.#total.all
  }

  ofTenant(tenantId: string): number {
    return this.#tenants.get(tenantId)?.all ?? 0
  }

  /** What is left of each bound for this line; below zero where a bound was overstepped. */
  room({ tenantId, subscriptionId, lane }: Line, { total, tenant, subscription }: Bounds): Bounds {
    const isRetry = lane === 'retry'
    return {
      total: roomIn(total, this.#total, isRetry),
      tenant: roomIn(tenant, this.#tenants.get(tenantId), isRetry),
      subscription: roomIn(
        subscription,
        this.#subscriptions.get(subscriptionKey(tenantId, subscriptionId)),
        isRetry,
      ),
    }
  }

  take(line: Line, number: number): void {
    this.#add(line, number)
  }

  giveBack(line: Line, number: number): void {
    this.#add(line, -number)
    forgetEmpty(this.#tenants, line.tenantId)
    forgetEmpty(this.#subscriptions, subscriptionKey(line.tenantId, line.subscriptionId))
  }

  #add({ tenantId, subscriptionId, lane }: Line, number: number): void {
    const counts = [
      this.#total,
      countIn(this.#tenants, tenantId),
      countIn(this.#subscriptions, subscriptionKey(tenantId, subscriptionId)),
    ]
    for (const count of counts) {
      count.all += number
      if (lane === 'retry') count.retries += number
    }
  }
}

function roomIn(bound: number, count: Count | undefined, isRetry: boolean): number {
  const { all, retries } = count ?? { all: 0, retries: 0 }
  return isRetry ? Math.min(bound - all, Math.ceil(bound * retryShare) - retries) : bound - all
}

function countIn(counts: Map<string, Count>, key: string): Count {
  let count = counts.get(key)
  if (count === undefined) {
    count = { all: 0, retries: 0 }
    counts.set(key, count)
  }
  return count
}

function forgetEmpty(counts: Map<string, Count>, key: string): void {
  if (counts.get(key)?.all === 0) counts.delete(key)
}

/** How many exchanges may run at once, and whose: receivers that hang must not hold up those of anybody else. */
import { type Line, subscriptionKey } from './lane.ts'

export interface SlotLimits {
  total: number
  tenant: number
  /** Of one subscription: what a receiver that answers well can reach. */
  subscription: number
}

export const usualLimits: SlotLimits = { total: 2048, tenant: 256, subscription: 128 }

/** Retries get at most this share of every bound: the rest is for first attempts alone. */
const retryShare = 0.5
/** This share of all slots is for tenants that have hardly anything under way. */
const reservedShare = 0.25
const hardlyAnything = 2
const firstWindow = 8
const leastWindow = 2

interface Count {
  all: number
  retries: number
}

export class Slots {
  readonly #limits: SlotLimits
  readonly #total: Count = { all: 0, retries: 0 }
  readonly #tenants = new Map<string, Count>()
  /** By `subscriptionKey`, as the windows are. */
  readonly #subscriptions = new Map<string, Count>()
  /** Grows with each success, halves with each failure: a receiver that hangs soon holds few slots. */
  readonly #windows = new Map<string, number>()

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  get inUse(): number {
    return this.#total.all
  }

  /** How many more of this line may be sent now. */
  free({ tenantId, subscriptionId, lane }: Line): number {
    const { total, tenant } = this.#limits
    const key = subscriptionKey(tenantId, subscriptionId)
    const isRetry = lane === 'retry'
    const left = roomIn(total, this.#total, isRetry)
    const ofTenant = this.#tenants.get(tenantId)
    const common = Math.min(left - Math.floor(total * reservedShare), roomIn(tenant, ofTenant, isRetry))
    const reserved = Math.min(left, hardlyAnything - (ofTenant?.all ?? 0))
    const ofSubscription = roomIn(this.#windowOf(key), this.#subscriptions.get(key), isRetry)
    return Math.max(0, Math.min(ofSubscription, Math.max(common, reserved)))
  }

  take(line: Line, number: number): void {
    for (const count of this.#countsOf(line)) add(count, line, number)
  }

  giveBack(line: Line, number: number): void {
    for (const count of this.#countsOf(line)) add(count, line, -number)
    forgetEmpty(this.#tenants, line.tenantId)
    forgetEmpty(this.#subscriptions, subscriptionKey(line.tenantId, line.subscriptionId))
  }

  learn({ tenantId, subscriptionId }: Omit<Line, 'lane'>, succeeded: boolean): void {
    const key = subscriptionKey(tenantId, subscriptionId)
    const window = this.#windowOf(key)
    const next = succeeded ? window + 1 : Math.max(leastWindow, Math.floor(window / 2))
    this.#windows.delete(key)
    this.#windows.set(key, next)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size > mostWindows && oldest !== undefined) this.#windows.delete(oldest)
  }

  #windowOf(key: string): number {
    return Math.min(this.#windows.get(key) ?? firstWindow, this.#limits.subscription)
  }

  #countsOf({ tenantId, subscriptionId }: Line): Count[] {
    const key = subscriptionKey(tenantId, subscriptionId)
    return [this.#total, countIn(this.#tenants, tenantId), countIn(this.#subscriptions, key)]
  }
}

const mostWindows = 10_000

function roomIn(bound: number, count: Count | undefined, isRetry: boolean): number {
  const { all, retries } = count ?? { all: 0, retries: 0 }
  return isRetry ? Math.min(bound - all, Math.ceil(bound * retryShare) - retries) : bound - all
}

function add(count: Count, { lane }: Line, number: number): void {
  count.all += number
  if (lane === 'retry') count.retries += number
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

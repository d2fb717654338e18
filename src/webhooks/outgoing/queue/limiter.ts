/** Limits concurrent deliveries: receivers that hang must not delay deliveries to others. */
import { ConcurrencyLimiter } from '../../../core/limits/concurrency-limiter.ts'
import type { QueueLimiter } from '../../../core/queue/permits.ts'
import type { Limit } from '../../../database/limit.ts'
import { parseQueueKey, type QueueKey, subscriptionKey } from './key.ts'

export interface DeliveryLimits {
  /** The most deliveries in progress of this instance. */
  total: number
  /** The most deliveries in progress of one tenant. */
  tenant: number
  /** The most deliveries in progress of one subscription whose receiver responds well. */
  subscription: number
  /** The most bytes of the data of all events in progress. The last event may exceed it. */
  bytes: number
}

export const defaultDeliveryLimits: DeliveryLimits = {
  total: 2048,
  tenant: 256,
  subscription: 128,
  bytes: 64 * 1024 * 1024,
}

export const deliveryLimit: Limit = {
  name: 'deliveries of webhooks in progress',
  kind: 'permits',
  bounds: {
    instance: defaultDeliveryLimits.total,
    tenant: defaultDeliveryLimits.tenant,
    subscription: `8 at first, at most ${defaultDeliveryLimits.subscription}`,
  },
  changedBy: ['deliveryLimits'],
  beyond: 'deliveries wait; a quarter is for tenants with few, and retries have half of each bound',
  metrics: ['webhook_in_flight', 'webhook_queue_depth'],
  page: 'webhooks.md#answering',
}

export const deliveryBytesLimit: Limit = {
  name: 'data of deliveries in progress',
  kind: 'permits',
  bounds: { instance: defaultDeliveryLimits.bytes, tenant: 'a quarter', subscription: 'an eighth' },
  unit: 'bytes',
  changedBy: ['deliveryLimits'],
  beyond: 'deliveries wait; a tenant without one always has one',
  metrics: ['webhook_queue_depth'],
  page: 'webhooks.md#answering',
}

/** This share of each total is reserved for tenants with at most `maxReservedPerTenant` deliveries in progress. */
const reservedShare = 0.25
const maxReservedPerTenant = 2
/** Retries get at most this share of each bound. The rest is reserved for first attempts. */
const maxRetryShare = 0.5
const maxTenantShareOfBytes = 0.25
const maxSubscriptionShareOfBytes = 0.125
/** The most deliveries of one claim: enough to be worth a commit, and few enough that none waits for the others. */
const defaultMaxClaimed = 256
/** The permits of a subscription whose receiver has not responded yet, and the least after failures. */
const initialWindow = 8
const minWindow = 2
/** The most subscriptions whose permits are remembered. */
const maxWindows = 10_000

export class DeliveryLimiter implements QueueLimiter {
  readonly maxClaimed: number
  readonly #limits: DeliveryLimits
  readonly #deliveries = new DeliveryPermits()
  readonly #bytes = new DeliveryPermits()
  /**
   * The permits of each subscription. A success adds one and a failure halves them: a hanging receiver soon has few.
   */
  readonly #windows = new Map<string, number>()

  constructor(limits: DeliveryLimits, maxClaimed = defaultMaxClaimed) {
    this.#limits = limits
    this.maxClaimed = maxClaimed
  }

  /** The number of deliveries in progress. */
  get inUse(): number {
    return this.#deliveries.total
  }

  get bytesInUse(): number {
    return this.#bytes.total
  }

  /** @returns the number of permits that are free for this key; 0 when the bytes are used up */
  available(text: string): number {
    const key = parseQueueKey(text)
    if (!this.#hasBytes(key)) return 0
    const { total } = this.#limits
    const subscription = this.#windowOf(subscriptionKey(key.tenantId, key.subscriptionId))
    const free = this.#deliveries.available(key, { ...this.#limits, subscription })
    const common = Math.min(free.total - Math.floor(total * reservedShare), free.tenant)
    const reserved = Math.min(free.total, maxReservedPerTenant - this.#deliveries.ofTenant(key.tenantId))
    return Math.max(0, Math.min(free.subscription, Math.max(common, reserved)))
  }

  acquire(key: string, permits: number): void {
    this.#deliveries.add(parseQueueKey(key), permits)
  }

  release(key: string, permits: number): void {
    this.acquire(key, -permits)
  }

  /**
   * Accepts a delivery of any size while bytes are left, so that no event is too large.
   * @returns whether it was accepted
   */
  acquireBytes(text: string, bytes: number): boolean {
    const key = parseQueueKey(text)
    if (!this.#hasBytes(key)) return false
    this.#bytes.add(key, bytes)
    return true
  }

  releaseBytes(key: string, bytes: number): void {
    this.#bytes.add(parseQueueKey(key), -bytes)
  }

  /** Adapts the permits of the subscription to the outcome of an attempt. */
  adapt({ tenantId, subscriptionId }: Omit<QueueKey, 'kind'>, hasSucceeded: boolean): void {
    const key = subscriptionKey(tenantId, subscriptionId)
    const window = this.#windowOf(key)
    const next = hasSucceeded ? window + 1 : Math.max(minWindow, Math.floor(window / 2))
    this.#windows.delete(key)
    this.#windows.set(key, next)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size > maxWindows && oldest !== undefined) this.#windows.delete(oldest)
  }

  #windowOf(key: string): number {
    return Math.min(this.#windows.get(key) ?? initialWindow, this.#limits.subscription)
  }

  /**
   * Whether bytes are left for the key. A tenant without deliveries in progress may use the reserved share for one.
   */
  #hasBytes(key: QueueKey): boolean {
    const { bytes } = this.#limits
    const free = this.#bytes.available(key, {
      total: bytes,
      tenant: bytes * maxTenantShareOfBytes,
      subscription: bytes * maxSubscriptionShareOfBytes,
    })
    const common = Math.min(free.total - bytes * reservedShare, free.tenant, free.subscription)
    return common > 0 || (free.total > 0 && this.#bytes.ofTenant(key.tenantId) === 0)
  }
}

interface Bounds {
  total: number
  tenant: number
  subscription: number
}

/** The permits in use: in total, for each tenant, and for each subscription. */
class DeliveryPermits {
  readonly #all = new ConcurrencyLimiter()
  readonly #retries = new ConcurrencyLimiter()

  get total(): number {
    return this.#all.total
  }

  ofTenant(tenantId: string): number {
    return this.#all.inUse(tenantId)
  }

  /** @returns what is left of each bound for this key; negative for a bound that was exceeded */
  available({ tenantId, subscriptionId, kind }: QueueKey, bounds: Bounds): Bounds {
    const [all, retries] = [this.#all, kind === 'retry' ? this.#retries : undefined]
    const subscription = subscriptionKey(tenantId, subscriptionId)
    return {
      total: freePermits(bounds.total, all.total, retries?.total),
      tenant: freePermits(bounds.tenant, all.inUse(tenantId), retries?.inUse(tenantId)),
      subscription: freePermits(bounds.subscription, all.inUse(subscription), retries?.inUse(subscription)),
    }
  }

  /** @param number negative to release */
  add({ tenantId, subscriptionId, kind }: QueueKey, number: number): void {
    const holders = [tenantId, subscriptionKey(tenantId, subscriptionId)]
    this.#all.add(holders, number)
    if (kind === 'retry') this.#retries.add(holders, number)
  }
}

/** @param retries the permits of retries in use, which have a part of the bound; absent for other attempts */
function freePermits(bound: number, used: number, retries: number | undefined): number {
  const free = bound - used
  return retries === undefined ? free : Math.min(free, Math.ceil(bound * maxRetryShare) - retries)
}

/**
 * Permits for work in progress. A claim acquires them for keys that are due, and returns those that it does not use.
 */
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'

/** Limits the work that this instance has in progress. */
export interface QueueLimiter {
  /** The maximum number of pieces of work that one transaction claims. */
  readonly maxClaimed: number
  /** The number of permits that are free for the key. */
  available(key: string): number
  acquire(key: string, permits: number): void
  release(key: string, permits: number): void
}

/** A key and the permits that were acquired for it. */
export interface KeyPermits {
  key: string
  permits: number
}

/** Acquires permits for due keys: an equal share for each. Permits that a key does not need go to the keys after it. */
export function acquirePermits(keys: readonly string[], limiter: QueueLimiter): KeyPermits[] {
  const acquired: KeyPermits[] = []
  let remaining = limiter.maxClaimed
  for (const [index, key] of keys.entries()) {
    if (remaining <= 0) break
    const share = Math.ceil(remaining / (keys.length - index))
    const permits = Math.min(share, limiter.available(key))
    if (permits === 0) continue
    limiter.acquire(key, permits)
    acquired.push({ key, permits })
    remaining -= permits
  }
  return acquired
}

export interface TenantLimits {
  total: number
  perTenant: number
}

/** Limits work whose keys are tenants. */
export class TenantLimiter implements QueueLimiter {
  readonly #limits: TenantLimits
  readonly #reserved: number
  readonly #permits = new ConcurrencyLimiter()

  /** @param reserved how many of all permits are kept for tenants without work in progress */
  constructor(limits: TenantLimits, reserved = 0) {
    this.#limits = limits
    this.#reserved = reserved
  }

  get inUse(): number {
    return this.#permits.total
  }

  get maxClaimed(): number {
    return this.#limits.total - this.#reserved
  }

  available(tenantId: string): number {
    const { total, perTenant } = this.#limits
    const used = this.#permits.inUse(tenantId)
    const reserved = used === 0 ? 0 : this.#reserved
    return Math.max(0, Math.min(perTenant - used, total - reserved - this.inUse))
  }

  acquire(tenantId: string, permits: number): void {
    this.#permits.add([tenantId], permits)
  }

  release(tenantId: string, permits: number): void {
    this.acquire(tenantId, -permits)
  }
}

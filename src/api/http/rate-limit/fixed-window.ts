/** Counts in windows that begin with the first count: in memory, or in PostgreSQL for all instances. */

import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Policy } from '../../../core/settings/rate-limit-policy.ts'
import type { Executor } from '../../../database/executor.ts'
import { LruMap } from '../../../database/lru-map.ts'
import { asPgClient } from '../../../database/postgres/rate-limit.ts'

/** Bounds the memory. A failed sign-in counts under two keys; password hashing limits a window to fewer of them. */
const maxKeys = 100_000

/** @param executor of the catalogue; on PostgreSQL all instances share its counts */
export function createFixedWindow(executor: Executor, policy: Policy): RateLimiterAbstract {
  const options = { keyPrefix: policy.name, points: policy.requests, duration: policy.seconds }
  if (executor.dialect === 'sqlite') return new BoundedRateLimiter(options)
  return new RateLimiterPostgres({
    ...options,
    storeClient: asPgClient(executor),
    storeType: 'client',
    tableName: 'rate_limit',
    tableCreated: true,
    // The timer of the library would outlive the service: a job removes expired rows instead.
    clearExpiredByTimeout: false,
    // Requests that need no database are still counted when it is unavailable.
    insuranceLimiter: new BoundedRateLimiter(options),
  })
}

/** Counts in memory for a bounded number of keys; the least recently counted key is evicted. */
export class BoundedRateLimiter extends RateLimiterMemory {
  readonly #keys = new LruMap<string, true>(maxKeys, { onEvict: (key) => void super.delete(key) })

  override consume(...[key, ...rest]: Parameters<RateLimiterMemory['consume']>) {
    this.#keys.set(`${key}`, true)
    return super.consume(key, ...rest)
  }

  override penalty(...[key, ...rest]: Parameters<RateLimiterMemory['penalty']>) {
    this.#keys.set(`${key}`, true)
    return super.penalty(key, ...rest)
  }

  override delete(key: string | number) {
    this.#keys.delete(`${key}`)
    return super.delete(key)
  }
}

/** Counts in windows that begin with the first count: in memory, or in PostgreSQL for all instances together. */
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Policy } from '../../../core/settings/rate-limit-policy.ts'
import type { Executor } from '../../../database/executor.ts'
import { asPgClient } from '../../../database/postgres/client.ts'

/** In memory: more keys, two an attempt, than are counted in the longest time at the highest rate of password hashes. */
const maxKeys = 100_000

/** @param executor of the catalogue: on PostgreSQL the count is shared there */
export function createFixedWindow(executor: Executor, policy: Policy): RateLimiterAbstract {
  const options = { keyPrefix: policy.name, points: policy.requests, duration: policy.seconds }
  if (executor.dialect === 'sqlite') return new BoundedRateLimiter(options)
  return new RateLimiterPostgres({
    ...options,
    storeClient: asPgClient(executor),
    storeType: 'client',
    tableName: 'rate_limit',
    tableCreated: true,
    // Without its database the service answers little, but it still counts what it answers.
    insuranceLimiter: new BoundedRateLimiter(options),
  })
}

/** Counts in memory, and forgets the key that was not counted for the longest when there are too many. */
export class BoundedRateLimiter extends RateLimiterMemory {
  readonly #keys = new Set<string>()

  override consume(...[key, ...rest]: Parameters<RateLimiterMemory['consume']>) {
    this.#note(`${key}`)
    return super.consume(key, ...rest)
  }

  override penalty(...[key, ...rest]: Parameters<RateLimiterMemory['penalty']>) {
    this.#note(`${key}`)
    return super.penalty(key, ...rest)
  }

  override delete(key: string | number) {
    this.#keys.delete(`${key}`)
    return super.delete(key)
  }

  #note(key: string): void {
    this.#keys.delete(key)
    this.#keys.add(key)
    if (this.#keys.size <= maxKeys) return
    const [oldest = key] = this.#keys
    void this.delete(oldest)
  }
}

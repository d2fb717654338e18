/** Rate limit policies, counted in memory, or in PostgreSQL for all instances together. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  type RateLimiterRes,
} from 'rate-limiter-flexible'
import type { Executor } from '../database/executor.ts'
import { LruMap } from '../database/lru-map.ts'
import { asPgClient } from '../database/postgres/client.ts'
import { ServiceError } from '../errors.ts'
import { clientNetwork } from '../network.ts'

export interface Policy {
  name: string
  requests: number
  seconds: number
}

/** Specification, section 8. */
export const strict: Policy = { name: 'strict', requests: 5, seconds: 10 }

/** In memory: more keys, two an attempt, than are counted in the longest time at the highest rate of password hashes. */
const maxKeys = 100_000

/** @param executor of the catalogue: on PostgreSQL the count is shared there */
export function createLimiter(executor: Executor, policy: Policy): RateLimiterAbstract {
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

/** Counts every request of a client, whatever becomes of it. @throws ServiceError `tooManyRequests` */
export function limitRequests(limiter: RateLimiterAbstract, policy: Policy) {
  const announced = `"${policy.name}";q=${policy.requests};w=${policy.seconds}`
  /** Until when each is refused: one that goes on asking costs no query. */
  const refusals = new LruMap<string, number>(maxKeys)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const client = clientNetwork(request.ip)
    const refusedForMs = (refusals.get(client) ?? 0) - performance.now()
    const { allowed, state } =
      refusedForMs > 0
        ? { allowed: false, state: { msBeforeNext: refusedForMs, remainingPoints: 0 } }
        : await consume(limiter, client)
    if (!allowed) refusals.set(client, performance.now() + state.msBeforeNext)
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000))
    reply.header('ratelimit-policy', announced)
    reply.header('ratelimit', `"${policy.name}";r=${state.remainingPoints};t=${seconds}`)
    if (!allowed) throw new ServiceError('tooManyRequests', undefined, { retryAfterSeconds: seconds })
  }
}

async function consume(limiter: RateLimiterAbstract, client: string) {
  try {
    return { allowed: true, state: await limiter.consume(client) }
  } catch (refused) {
    if (refused instanceof Error) throw refused
    return { allowed: false, state: refused as RateLimiterRes } // the library rejects with the state itself
  }
}

/** Rate limit policies, counted in memory, or in PostgreSQL for all instances together. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  type RateLimiterRes,
} from 'rate-limiter-flexible'
import type { Executor } from '../database/executor.ts'
import { asPgClient } from '../database/postgres/client.ts'
import { ServiceError } from '../errors.ts'

export interface Policy {
  name: string
  requests: number
  seconds: number
}

/** Specification, section 8. */
export const strict: Policy = { name: 'strict', requests: 5, seconds: 10 }

/** @param executor of the catalogue: on PostgreSQL the count is shared there */
export function createLimiter(executor: Executor, policy: Policy): RateLimiterAbstract {
  const options = { keyPrefix: policy.name, points: policy.requests, duration: policy.seconds }
  if (executor.dialect === 'sqlite') return new RateLimiterMemory(options)
  return new RateLimiterPostgres({
    ...options,
    storeClient: asPgClient(executor),
    storeType: 'client',
    tableName: 'rate_limit',
    tableCreated: true,
    // Without its database the service answers little, but it still counts what it answers.
    insuranceLimiter: new RateLimiterMemory(options),
  })
}

/** Counts every request of a client, whatever becomes of it. @throws ServiceError `tooManyRequests` */
export function limitRequests(limiter: RateLimiterAbstract, policy: Policy) {
  const announced = `"${policy.name}";q=${policy.requests};w=${policy.seconds}`
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { allowed, state } = await consume(limiter, request.ip)
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

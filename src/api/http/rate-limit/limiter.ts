/** Limits the requests of clients: in memory, or in PostgreSQL for all instances. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../core/errors.ts'
import { clientNetwork } from '../../../core/network.ts'
import { mailing, type Policy, policyHeader, strict } from '../../../core/settings/rate-limit-policy.ts'
import { DatabaseUnavailable, type Executor } from '../../../database/executor.ts'
import { LruMap } from '../../../database/lru-map.ts'
import { countHit, releaseHit } from '../../../database/postgres/rate-limit.ts'
import { grainOf, type Hits, type RateLimitVerdict, SlidingWindow, verdictOf } from './sliding-window.ts'

/** Bounds the memory. Counting does not stop an attacker with more addresses. */
export const maxKeys = 50_000

export class Limiter {
  readonly policy: Policy
  readonly #executor: Executor
  readonly #own: SlidingWindow
  /** Until when each client is refused: its further requests need no query. */
  readonly #refusals = new LruMap<string, number>(maxKeys)

  /** @param executor of the catalogue; on PostgreSQL all instances share its counts */
  constructor(executor: Executor, policy: Policy) {
    this.policy = policy
    this.#executor = executor
    this.#own = new SlidingWindow(policy, maxKeys)
  }

  /**
   * Counts a request of the client.
   * @returns reply headers with the remaining quota
   * @throws ServiceError `tooManyRequests`
   */
  async admit(client: string): Promise<Record<string, string>> {
    return this.require(await this.count(client))
  }

  /**
   * Counts a request of the client, unless it is refused.
   * @param maxRefusalMs how long this instance may refuse without another look at the count
   */
  async count(client: string, maxRefusalMs = Number.POSITIVE_INFINITY): Promise<RateLimitVerdict> {
    const refusal = this.#refused(client)
    if (refusal !== null) return refusal
    const isShared = this.#executor.dialect === 'postgres'
    const shared = isShared ? await countShared(this.#executor, this.policy, client) : null
    const verdict = shared ?? this.#own.count(client)
    if (verdict.isAllowed) return verdict
    this.#refusals.set(client, performance.now() + Math.min(verdict.waitMs, maxRefusalMs))
    return verdict
  }

  /** Removes a counted request, to which the limit turned out not to apply. */
  async release(client: string, moment: number): Promise<void> {
    this.#refusals.delete(client)
    this.#own.release(client, moment)
    if (this.#executor.dialect !== 'postgres') return
    try {
      await releaseHit(this.#executor, keyOf(this.policy, client), moment)
    } catch (error) {
      // The request stays counted.
      if (!(error instanceof DatabaseUnavailable)) throw error
    }
  }

  /** @returns reply headers with the remaining quota. @throws ServiceError `tooManyRequests` */
  require({ isAllowed, remaining, waitMs }: RateLimitVerdict): Record<string, string> {
    const { name } = this.policy
    const seconds = Math.max(1, Math.ceil(waitMs / 1000))
    const headers = {
      'ratelimit-policy': policyHeader(this.policy),
      ratelimit: `"${name}";r=${remaining};t=${seconds}`,
    }
    if (isAllowed) return headers
    throw new ServiceError('tooManyRequests', undefined, { retryAfterSeconds: seconds, headers })
  }

  #refused(client: string): RateLimitVerdict | null {
    const waitMs = (this.#refusals.get(client) ?? 0) - performance.now()
    return waitMs > 0 ? { isAllowed: false, remaining: 0, waitMs, moment: null } : null
  }
}

/** Requests of a client within the periods of the built-in policies. Tests allow more. */
export interface BuiltInRequests {
  strictRequests?: number
  mailRequests?: number
}

/** The limiters by the names of their policies. */
export type Limiters = ReadonlyMap<string, Limiter>

/**
 * Limiters of the built-in policies and of the policies of the settings.
 * @param requests of the built-in policies, if not the usual ones
 */
export function createLimiters(
  executor: Executor,
  policies: readonly Policy[],
  { strictRequests = strict.requests, mailRequests = mailing.requests }: BuiltInRequests = {},
): Limiters {
  const builtIn = [
    { ...strict, requests: strictRequests },
    { ...mailing, requests: mailRequests },
  ]
  const all = [...builtIn, ...policies]
  return new Map(all.map((policy) => [policy.name, new Limiter(executor, policy)]))
}

/** @returns `null` while the database is unavailable: each instance counts for itself */
async function countShared(
  executor: Executor,
  policy: Policy,
  client: string,
): Promise<RateLimitVerdict | null> {
  const windowMs = policy.seconds * 1000
  const hit = { key: keyOf(policy, client), requests: policy.requests, windowMs, grainMs: grainOf(policy) }
  try {
    const { moment, hits, nowMs } = await countHit(executor, hit)
    return verdictOf(policy, moment, parseHits(hits), nowMs)
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    return null
  }
}

function keyOf({ name }: Policy, client: string): string {
  return `${name}:${client}`
}

function parseHits(text: string): Hits {
  const counts = Object.entries(JSON.parse(text) as Record<string, number>) // as the statement writes it
  return new Map(counts.map(([moment, count]) => [Number(moment), count] as const).sort(([a], [b]) => a - b))
}

/** A hook that counts every request of a client, whatever its outcome. */
export function limitRequests(limiter: Limiter) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.headers(await limiter.admit(clientNetwork(request.ip)))
  }
}

/**
 * Counts the requests of the last seconds, whenever those begin: never more than the policy says in any period of its
 * length. Fixed windows let twice as many through where one ends and the next begins. What is refused does not count.
 */

import type { Policy } from '../../../core/settings/rate-limit-policy.ts'
import { LruMap } from '../../../database/lru-map.ts'

export interface RateLimitVerdict {
  isAllowed: boolean
  remaining: number
  /** Until one more request is allowed than now. */
  waitMs: number
}

/** How many requests were allowed at each moment, oldest first. Moments are rounded up to the grain. */
export type Hits = Map<number, number>

const maxMoments = 32

/**
 * Up to 32 requests are counted to the millisecond. Of more, those within a 32nd of the window share a moment, the last
 * one that they can have been at: none leaves the window too early.
 */
export function grainOf({ requests, seconds }: Policy): number {
  return requests <= maxMoments ? 1 : Math.ceil((seconds * 1000) / maxMoments)
}

/** @param hits within the window that ends now @param total of them */
export function verdictOf(policy: Policy, isAllowed: boolean, hits: Hits, nowMs: number): RateLimitVerdict {
  let total = 0
  for (const count of hits.values()) total += count
  const [oldest = nowMs] = hits.keys()
  const leavesAt = oldest + policy.seconds * 1000
  return { isAllowed, remaining: Math.max(0, policy.requests - total), waitMs: Math.max(0, leavesAt - nowMs) }
}

/** In the memory of this process. It forgets whoever was not counted for the longest when there are too many. */
export class SlidingWindow {
  readonly #policy: Policy
  readonly #nowMs: () => number
  readonly #hits: LruMap<string, Hits>

  constructor(policy: Policy, maxKeys: number, nowMs: () => number = () => performance.now()) {
    this.#policy = policy
    this.#nowMs = nowMs
    this.#hits = new LruMap(maxKeys)
  }

  count(key: string): RateLimitVerdict {
    const nowMs = Math.floor(this.#nowMs())
    const grain = grainOf(this.#policy)
    const moment = Math.ceil(nowMs / grain) * grain
    let hits = this.#hits.get(key)
    if (hits === undefined) {
      hits = new Map()
      this.#hits.set(key, hits)
    }
    const total = this.#forgetOld(hits, nowMs)
    const isAllowed = total < this.#policy.requests
    if (isAllowed) hits.set(moment, (hits.get(moment) ?? 0) + 1)
    return verdictOf(this.#policy, isAllowed, hits, nowMs)
  }

  /** @returns how many are left */
  #forgetOld(hits: Hits, nowMs: number): number {
    const oldest = nowMs - this.#policy.seconds * 1000
    let total = 0
    for (const [at, count] of hits) {
      if (at <= oldest) hits.delete(at)
      else total += count
    }
    return total
  }
}

/**
 * Counts requests in a sliding window: no period of its length has more requests than the policy allows. Fixed windows
 * allow twice as many around their boundaries. Refused requests do not count.
 */

import type { Policy } from '../../../core/settings/rate-limit-policy.ts'
import { LruMap } from '../../../database/lru-map.ts'

export interface RateLimitVerdict {
  isAllowed: boolean
  remaining: number
  /** The time until another request is allowed. */
  waitMs: number
  /** When the request was counted, by the clock that counts; `null` if it was refused. */
  moment: number | null
}

/** The number of allowed requests at each moment, oldest first. Moments are rounded up to the grain. */
export type Hits = Map<number, number>

const maxMoments = 32

/**
 * Up to 32 requests are counted by the millisecond. Of more requests, those within a 32nd of the window share a moment,
 * rounded up, so that none leaves the window too early.
 */
export function grainOf({ requests, seconds }: Policy): number {
  return requests <= maxMoments ? 1 : Math.ceil((seconds * 1000) / maxMoments)
}

/**
 * @param moment of the counted request; `null` if it was refused
 * @param hits within the window that ends now
 */
export function verdictOf(
  policy: Policy,
  moment: number | null,
  hits: Hits,
  nowMs: number,
): RateLimitVerdict {
  let total = 0
  for (const count of hits.values()) total += count
  const [oldest = nowMs] = hits.keys()
  const leavesAt = oldest + policy.seconds * 1000
  return {
    isAllowed: moment !== null,
    remaining: Math.max(0, policy.requests - total),
    waitMs: Math.max(0, leavesAt - nowMs),
    moment,
  }
}

/** Counts in memory, for a bounded number of clients. */
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
    return verdictOf(this.#policy, isAllowed ? moment : null, hits, nowMs)
  }

  /** Removes a counted request. */
  release(key: string, moment: number): void {
    const hits = this.#hits.get(key)
    const count = hits?.get(moment)
    if (hits === undefined || count === undefined) return
    if (count > 1) hits.set(moment, count - 1)
    else hits.delete(moment)
  }

  /** @returns the number of remaining hits */
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

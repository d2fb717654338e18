/** Counts requests for the console: `/metrics` may be on a port that browsers do not reach. */

import { TenantUsage } from '../../core/tenant/usage.ts'

/** The bounds of the histogram in seconds: from a cached read to a request that times out. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The figures since the start of the process. */
export class RequestFigures {
  readonly byTenant = new TenantUsage()
  /** The replies with a status of 500 or more. */
  errors = 0
  seconds = 0
  /** The number of requests in each bucket, whose bounds are `durationBuckets`. The last one has no upper bound. */
  readonly #counts = new Array<number>(durationBuckets.length + 1).fill(0)

  observe(status: number, seconds: number): void {
    if (status >= 500) this.errors++
    this.seconds += seconds
    const bucket = durationBuckets.findIndex((bound) => seconds <= bound)
    const index = bucket === -1 ? durationBuckets.length : bucket
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
  }

  /** The last bucket has no bound. */
  get buckets(): { upToSeconds: number | null; count: number }[] {
    return this.#counts.map((count, index) => ({ upToSeconds: durationBuckets[index] ?? null, count }))
  }
}

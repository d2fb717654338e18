/** Calculates figures per second from the counters of an instance since its start. */
export interface Figures {
  instanceId: string
  at: string
  requests: {
    errors: number
    seconds: number
    buckets: readonly { upToSeconds: number | null; count: number }[]
  }
  residentBytes: number
  waiting: { deliveries: number; jobs: number; mails: number }
}

/**
 * The figures of a moment. One is `null` if it is not known, or there is nothing to divide by: after the first reply
 * of an instance, or without requests.
 */
export interface Point {
  requests: number | null
  errors: number | null
  meanMs: number | null
  p99Ms: number | null
  megabytes: number | null
  deliveries: number | null
  jobs: number | null
  mails: number | null
}

export function pointOf(figures: Figures, before: Figures | undefined): Point {
  const { residentBytes, waiting } = figures
  const rates = before === undefined ? noRates : ratesOf(figures, before)
  return { ...rates, ...waiting, megabytes: residentBytes / 1024 / 1024 }
}

const noRates = { requests: null, errors: null, meanMs: null, p99Ms: null }

function ratesOf({ at, requests }: Figures, before: Figures) {
  const seconds = (Date.parse(at) - Date.parse(before.at)) / 1000
  if (seconds <= 0) return noRates
  const buckets = requests.buckets.map(({ upToSeconds, count }, index) => ({
    upToSeconds,
    count: count - (before.requests.buckets[index]?.count ?? 0),
  }))
  const all = buckets.reduce((sum, { count }) => sum + count, 0)
  return {
    requests: all / seconds,
    errors: (requests.errors - before.requests.errors) / seconds,
    meanMs: all === 0 ? null : ((requests.seconds - before.requests.seconds) / all) * 1000,
    p99Ms: all === 0 ? null : percentile(buckets, all * 0.99) * 1000,
  }
}

/** @returns a percentile. As in Prometheus, the requests are assumed to be spread evenly within a bucket. */
function percentile(buckets: Figures['requests']['buckets'], rank: number): number {
  let below = 0
  let from = 0
  for (const { upToSeconds, count } of buckets) {
    if (upToSeconds === null) return from
    if (below + count >= rank) return from + ((upToSeconds - from) * (rank - below)) / count
    below += count
    from = upToSeconds
  }
  return from
}

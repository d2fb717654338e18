/**
 * Estimates a percentile from the counts of a histogram. The requests of a bucket are assumed to be spread evenly, as
 * Prometheus does.
 * @param bounds the upper bounds of the buckets, in seconds; `null` for the last bucket, which has none
 * @param share 0.99 for the 99th percentile @returns seconds; the highest bound for what is above that bound
 */
export function percentileOf(
  counts: readonly number[],
  bounds: readonly (number | null)[],
  share: number,
): number {
  const rank = counts.reduce((sum, count) => sum + count, 0) * share
  let below = 0
  let from = 0
  for (const [index, count] of counts.entries()) {
    const bound = bounds[index] ?? null
    if (bound === null) return from
    if (below + count >= rank) return from + ((bound - from) * (rank - below)) / count
    below += count
    from = bound
  }
  return from
}

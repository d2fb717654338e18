/**
 * Within a bucket the requests are assumed to be spread evenly, as Prometheus does.
 * @param bounds the upper ones, in seconds; `null` for the last bucket, which has none
 * @returns seconds; the highest bound for what is above it
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

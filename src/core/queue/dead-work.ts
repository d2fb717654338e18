/** Retries work of a tenant that has failed for good ("dead"), by groups: deliveries by subscription, jobs by name. */

export interface DeadWorkRetry {
  /** The only group to retry. Without it, all groups are retried. */
  group?: string
  /** Work that failed after this moment is left out: otherwise a retry might never end. */
  until: string
  /** The maximum of rows to retry. */
  limit: number
  /** The end of the retry by `performance.now()`. After the first rows, no transaction begins later. */
  endMs: number
  /** The operator whom the audit of the tenant names. */
  actor: { id: string; userName: string }
}

export interface RetriedWork {
  groups: { group: string; count: number }[]
  /** Whether no row is left to retry. */
  isDone: boolean
}

/** The maximum number of rows in one transaction, so that others can write in between. */
const maxRowsAtOnce = 500

/**
 * @param groups all groups of the tenant
 * @param retryBatch retries at most `limit` rows in one transaction, and returns their number: 0 if none is left
 */
export async function retryGroups(
  { group, limit, endMs }: DeadWorkRetry,
  groups: readonly string[],
  retryBatch: (group: string, limit: number) => Promise<number>,
): Promise<RetriedWork> {
  const counts = new Map<string, number>()
  const retried = () => [...counts].map(([name, count]) => ({ group: name, count }))
  const pending = groups.filter((each) => group === undefined || each === group)
  let remaining = limit
  for (let index = 0; index < pending.length; ) {
    const isOver = remaining <= 0 || (remaining < limit && performance.now() > endMs)
    if (isOver) return { groups: retried(), isDone: false }
    const name = pending[index] ?? ''
    const count = await retryBatch(name, Math.min(maxRowsAtOnce, remaining))
    if (count === 0) index++
    else counts.set(name, (counts.get(name) ?? 0) + count)
    remaining -= count
  }
  return { groups: retried(), isDone: true }
}

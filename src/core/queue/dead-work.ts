/** Tries again what failed for good in a tenant: deliveries by subscription, jobs by name. */

export interface DeadWorkRetry {
  /** The one group; all if absent. */
  group?: string
  /** What failed later is left out: otherwise a retry might never end. */
  until: string
  /** How many at most. */
  limit: number
  /** By `performance.now()`: no transaction but the first begins later. */
  endMs: number
  /** Whom the audit of the tenant names. */
  actor: { id: string; userName: string }
}

export interface RetriedWork {
  groups: { group: string; count: number }[]
  /** Whether none is left. */
  isDone: boolean
}

/** Per transaction, so that others can write in between. */
const perTransaction = 500

/**
 * @param groups those of the tenant
 * @param retryBatch in one transaction; tries at most so many again, and returns how many: 0 if none is left
 */
export async function retryGroups(
  { group, limit, endMs }: DeadWorkRetry,
  groups: readonly string[],
  retryBatch: (group: string, limit: number) => Promise<number>,
): Promise<RetriedWork> {
  const counts = new Map<string, number>()
  const retried = () => [...counts].map(([name, count]) => ({ group: name, count }))
  const pending = groups.filter((each) => group === undefined || each === group)
  let left = limit
  for (let index = 0; index < pending.length; ) {
    const isOver = left <= 0 || (left < limit && performance.now() > endMs)
    if (isOver) return { groups: retried(), isDone: false }
    const name = pending[index] ?? ''
    const count = await retryBatch(name, Math.min(perTransaction, left))
    if (count === 0) index++
    else counts.set(name, (counts.get(name) ?? 0) + count)
    left -= count
  }
  return { groups: retried(), isDone: true }
}

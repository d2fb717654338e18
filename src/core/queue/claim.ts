/** Claims due work of a queue, as much as there are free permits. */
import type { Database, Transaction } from '../../database/executor.ts'
import { type DueWork, keyOf } from './due-key.ts'
import type { Claimed } from './leased-work.ts'
import { acquirePermits, type KeyPermits, type QueueLimiter } from './permits.ts'

/**
 * Claims work in one transaction.
 * @param claim acquires permits. Claimed work keeps its permit; others are released, or all if nothing is committed.
 */
export async function claimInTransaction<Work extends DueWork>(
  database: Database,
  limiter: QueueLimiter,
  claim: (
    transaction: Transaction,
    acquire: (keys: readonly string[]) => KeyPermits[],
  ) => Promise<Claimed<Work>>,
): Promise<Claimed<Work>> {
  let acquired: KeyPermits[] = []
  let work: readonly Work[] = []
  try {
    const claimed = await database.transaction((transaction) =>
      claim(transaction, (keys) => {
        acquired = acquirePermits(keys, limiter)
        return acquired
      }),
    )
    work = claimed.work
    return claimed
  } finally {
    releaseUnused(limiter, acquired, work)
  }
}

function releaseUnused(
  limiter: QueueLimiter,
  acquired: readonly KeyPermits[],
  work: readonly DueWork[],
): void {
  const claimed = Map.groupBy(work, keyOf)
  for (const { key, permits } of acquired) {
    const unused = permits - (claimed.get(key)?.length ?? 0)
    if (unused > 0) limiter.release(key, unused)
  }
}

/** Claims due jobs. Ends jobs during whose last attempt the process died, if the schedule allows no further attempt. */
import type { Shared } from '../../core/context.ts'
import { claimInTransaction } from '../../core/queue/claim.ts'
import type { Claim, Claimed } from '../../core/queue/leased-work.ts'
import type { QueueLimiter } from '../../core/queue/permits.ts'
import { QueueData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import { leaseJobs } from './lease/sql.ts'
import { endInterrupted } from './record.ts'
import { type DueJob, dueJobs, nextDueOf } from './sql.ts'
import { isExhausted } from './state.ts'

export interface JobClaim extends Claim {
  shared: Shared
  limiter: QueueLimiter
  scheduleOf(job: DueJob): readonly number[]
}

export function claimJobs(
  database: Database,
  { shared, limiter, keys, now, scheduleOf, ...lease }: JobClaim,
): Promise<Claimed<DueJob>> {
  return claimInTransaction(database, limiter, async (transaction, acquire) => {
    const queue = new QueueData(transaction)
    const permits = acquire(keys)
    const due = await dueJobs(queue, permits, now)
    const exhausted = due.filter((job) => isExhausted(job, scheduleOf(job)))
    await endInterrupted(shared, { database, transaction }, exhausted, now)
    const work = due.filter((job) => !exhausted.includes(job))
    await leaseJobs(queue, work, { ...lease, now })
    // Only tenants with permits move to the end of the due index: the others keep their turn.
    const served = permits.map(({ key }) => key)
    return { work, nextDue: await nextDueOf(queue, served) }
  })
}

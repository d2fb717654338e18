/** Claims due jobs, and ends those that have ended their process too often. */
import type { Shared } from '../../core/context.ts'
import { newId } from '../../core/id.ts'
import { QueueData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import { leaseJobs } from './lease/sql.ts'
import type { JobLimiter, TenantPermits } from './limiter.ts'
import { endInterrupted } from './record.ts'
import { type DueJob, dueJobs, nextDueOf } from './sql.ts'
import { isExhausted } from './state.ts'

export interface JobClaim {
  shared: Shared
  limiter: JobLimiter
  /** Tenants that this instance believes to be due. */
  tenantIds: readonly string[]
  now: Date
  leaseMs: number
  scheduleOf(name: string): readonly number[]
}

export interface ClaimedJobs {
  lease: string
  /** Each holds a permit of its tenant. */
  jobs: DueJob[]
  /** When each tenant is due next, in milliseconds of Unix time; `null` for a tenant without waiting jobs. */
  nextDue: Map<string, number | null>
}

/** @throws DatabaseUnavailable */
export async function claimJobs(database: Database, claim: JobClaim): Promise<ClaimedJobs> {
  const { shared, limiter, now, leaseMs, scheduleOf } = claim
  const lease = newId()
  const moment = now.toISOString()
  const until = new Date(now.getTime() + leaseMs).toISOString()
  const permits = limiter.acquire(claim.tenantIds)
  try {
    const claimed = await database.transaction(async (transaction) => {
      const queue = new QueueData(transaction)
      const due = await dueJobs(queue, permits, moment)
      const exhausted = due.filter((job) => isExhausted(job, scheduleOf(job.name)))
      await endInterrupted(shared, { database, transaction }, exhausted, moment)
      const jobs = due.filter((job) => !exhausted.includes(job))
      await leaseJobs(queue, jobs, { lease, until, now: moment })
      const tenantIds = permits.map(({ tenantId }) => tenantId)
      const next = await nextDueOf(queue, tenantIds)
      const nextDue = new Map(
        next.map(({ tenantId, dueAt }) => [tenantId, dueAt === null ? null : Date.parse(dueAt)]),
      )
      return { lease, jobs, nextDue }
    })
    releaseUnused(limiter, permits, claimed.jobs)
    return claimed
  } catch (error) {
    releaseUnused(limiter, permits, [])
    throw error
  }
}

function releaseUnused(
  limiter: JobLimiter,
  acquired: readonly TenantPermits[],
  jobs: readonly DueJob[],
): void {
  const claimed = Map.groupBy(jobs, ({ tenantId }) => tenantId)
  for (const { tenantId, permits } of acquired) {
    const unused = permits - (claimed.get(tenantId)?.length ?? 0)
    if (unused > 0) limiter.release(tenantId, unused)
  }
}

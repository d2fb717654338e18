/** Counts jobs that failed for good in all tenants, by their name, and retries them. */
import type { AuditAction } from '../../core/audit/action.ts'
import type { Context } from '../../core/context.ts'
import { defined } from '../../core/defined.ts'
import type { Database } from '../../database/executor.ts'
import {
  countDeadJobs,
  type DeadJobs,
  type OwnDeadJobs,
  tenantsWithDeadJobs,
} from '../../jobs/metrics/dead/count.ts'
import { retryDeadJobsOf } from '../../jobs/retry-dead.ts'
import { retryByTenant } from './by-tenant.ts'
import { DeadGroups, deadKey, maxGroups } from './groups.ts'
import { beginRetry, type Retried, type RetryRequest } from './retry-run.ts'

const requested: AuditAction = 'deadJobs.retryRequested'

export interface DeadJobParts {
  /** The database of the catalogue. */
  database: Database
  clock: () => Date
  /** Has the last counts in tenants' own databases. */
  ownDeadJobs: OwnDeadJobs
}

export function deadJobs({ database, clock, ownDeadJobs }: DeadJobParts): DeadGroups<DeadJobs> {
  return new DeadGroups<DeadJobs>({
    clock,
    count: () => countDeadJobs(database, maxGroups),
    own: () => ownDeadJobs.byTenant,
    key: deadKey({ count: 'jobs', name: 'name' }),
  })
}

/** @param request whose `group` is a name of jobs @throws ServiceError like `beginRetry` */
export async function retryDeadJobs(
  context: Context,
  jobs: DeadGroups<DeadJobs>,
  request: RetryRequest,
): Promise<Retried> {
  const { group: name } = request
  const run = await beginRetry(context, request, { action: requested, detail: defined({ name }) })
  const work = { groups: jobs, group: name, tenantsWith: tenantsWithDeadJobs, retry: retryDeadJobsOf }
  return retryByTenant(context, run, work)
}

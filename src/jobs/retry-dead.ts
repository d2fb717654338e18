/** Retries dead jobs of a tenant, whose last attempt failed, for the operator. */
import { recordTenantAudit } from '../core/audit/audit.ts'
import { type Context, now } from '../core/context.ts'
import { type DeadWorkRetry, type RetriedWork, retryGroups } from '../core/queue/dead-work.ts'
import { inTransaction } from '../core/transaction.ts'
import { noteAfterCommit } from './enqueue.ts'
import { countDeadOf } from './metrics/dead/sql.ts'
import { deadJobIds, retryNow } from './sql.ts'

/** The most names of jobs in one request. */
const maxNames = 1000

/** Retries them name by name. @throws StatementTimedOut, DatabaseUnavailable */
export async function retryDeadJobsOf(context: Context, retry: DeadWorkRetry): Promise<RetriedWork> {
  const { until, actor } = retry
  const groups = await countDeadOf(context.data, maxNames)
  const names = groups.map(({ name }) => name)
  return retryGroups(retry, names, async (name, limit) => {
    const ids = await deadJobIds(context.data, { name, until, limit })
    return ids.length === 0 ? 0 : retryBatch(context, ids, { name, actor })
  })
}

function retryBatch(
  context: Context,
  ids: readonly string[],
  { name, actor }: Pick<DeadWorkRetry, 'actor'> & { name: string },
): Promise<number> {
  return inTransaction(context, async (inside) => {
    const moment = now(inside)
    const jobs = await retryNow(inside.data, ids, { status: 'DEAD', now: moment })
    await recordTenantAudit(inside, {
      action: 'deadJobs.retried',
      tenantId: inside.tenant.id,
      subjectType: 'job',
      subjectId: null,
      detail: { name, jobs },
      actor,
    })
    noteAfterCommit(inside, moment)
    return jobs
  })
}

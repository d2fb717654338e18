/** Administrators of a tenant retry its failed jobs. */
import { recordTenantAudit } from '../core/audit/audit.ts'
import { type Context, now } from '../core/context.ts'
import { refusal } from '../core/errors.ts'
import { inTransaction } from '../core/transaction.ts'
import { noteAfterCommit } from './enqueue.ts'
import { jobs } from './readable.ts'
import type { JobDetail } from './schema.ts'
import { lockJob, retryNow } from './sql.ts'

/**
 * Makes a failed job due now, with the whole retry schedule.
 * @throws ServiceError `notFound`; `invalid` for a job that is neither dead nor failing
 */
export function retryJob(context: Context, id: string): Promise<JobDetail> {
  return inTransaction(context, async (inside) => {
    const row = await lockJob(inside.data, id)
    if (row === null) throw refusal('noSuch', { label: 'job' })
    if (row.status !== 'DEAD' && row.status !== 'FAILING')
      throw refusal('jobNotFailed', { status: row.status })
    const moment = now(inside)
    await retryNow(inside.data, [id], { status: row.status, now: moment })
    const { tenant } = inside
    const subject = { tenantId: tenant.id, subjectType: 'job', subjectId: id }
    const detail = { name: row.name, attempts: row.attempts }
    await recordTenantAudit(inside, { action: 'job.retried', ...subject, detail })
    noteAfterCommit(inside, moment)
    return jobs.show(inside, id)
  })
}

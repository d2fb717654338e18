/** The jobs of a tenant, for its administrators. */
import { recordTenantAudit } from '../core/audit/audit.ts'
import { type Context, now } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { isUuid } from '../core/id.ts'
import { CallerTime } from '../core/limits/caller-time.ts'
import { decodeCursor, type Page, readPage } from '../core/page.ts'
import { inTransaction } from '../core/transaction.ts'
import { noteAfterCommit } from './enqueue.ts'
import type { JobDetail, JobQuery, JobStatus, JobSummary } from './schema.ts'
import { findJob, type JobSummaryRow, jobPage, lockJob, retryNow } from './sql.ts'

export interface JobListing extends JobQuery {
  limit: number
}

/** Newest first. @throws ServiceError `invalid` for a foreign cursor */
export async function listJobs(
  context: Context,
  { status, name, limit, cursor }: JobListing,
): Promise<Page<JobSummary>> {
  const before = cursor === undefined ? null : decodeCursor(cursor, isUuid)
  const filter = { ...(status !== undefined && { status }), ...(name !== undefined && { name }) }
  return readPage(limit, async (rows) => {
    const time = new CallerTime(context)
    const found = await jobPage(context.data, filter, { before, limit: rows, time })
    return found.map(toJob)
  })
}

/** @throws ServiceError `notFound` */
export async function getJob(context: Context, id: string): Promise<JobDetail> {
  const row = await findJob(context.data, id)
  if (row === null) throw noSuchJob()
  return { ...toJob(row), data: JSON.parse(row.data) as unknown }
}

/**
 * Makes a failed job due now, with the whole retry schedule.
 * @throws ServiceError `notFound`; `invalid` for a job that is neither dead nor failing
 */
export function retryJob(context: Context, id: string): Promise<JobDetail> {
  return inTransaction(context, async (inside) => {
    const row = await lockJob(inside.data, id)
    if (row === null) throw noSuchJob()
    if (row.status !== 'DEAD' && row.status !== 'FAILING')
      throw new ServiceError('invalid', `Only a failed job can be retried. This one is ${row.status}.`)
    const moment = now(inside)
    await retryNow(inside.data, id, moment)
    const { tenant } = inside
    const subject = { tenantId: tenant.id, subjectType: 'job', subjectId: id }
    const detail = { name: row.name, attempts: row.attempts }
    await recordTenantAudit(inside, { action: 'job.retried', ...subject, detail })
    noteAfterCommit(inside, moment)
    return getJob(inside, id)
  })
}

function noSuchJob(): ServiceError {
  return new ServiceError('notFound', 'There is no such job.')
}

function toJob(row: JobSummaryRow): JobSummary {
  return {
    id: row.id,
    name: row.name,
    key: row.key,
    status: row.status as JobStatus, // written from the list of the schema
    attempts: row.attempts,
    error: row.error,
    nextAttemptAt: row.status === 'RUNNING' ? null : row.next_at, // then it is the end of the lease
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  }
}

import { Type } from 'typebox'
import { pageReply } from '../api/http/reply/link.ts'
import { type Route, route } from '../core/feature/route.ts'
import { defaultPageSize } from '../core/page.ts'
import { getJob, listJobs, retryJob } from './job.ts'
import { JobDetail, JobQuery, JobSummary } from './schema.ts'

const reading = { tag: 'Jobs', access: 'job:read' } as const
const writing = { tag: 'Jobs', access: 'job:write' } as const
const base = '/api/jobs'

export const jobRoutes: Route[] = [
  route({
    ...reading,
    method: 'GET',
    path: base,
    summary: 'List jobs, newest first',
    description:
      'The background work of the tenant. Ended jobs are removed after `JOB_RETENTION_DAYS`. The parameters filter the ' +
      'list, which is always paged.',
    query: JobQuery,
    status: 200,
    reply: Type.Array(JobSummary),
    headers: ['link'],
    handle: async (context, { query }) => {
      const page = await listJobs(context, { ...query, limit: query.limit ?? defaultPageSize })
      return pageReply(base, query, page)
    },
  }),
  route({
    ...reading,
    method: 'GET',
    path: `${base}/:id`,
    summary: 'Get a job with its data',
    description: 'The state of the job, and what it was enqueued with.',
    status: 200,
    reply: JobDetail,
    errors: ['notFound'],
    handle: (context, { path }) => getJob(context, path['id'] ?? ''),
  }),
  route({
    ...writing,
    method: 'POST',
    path: `${base}/:id/retry`,
    summary: 'Retry a failed job now',
    description: 'For a job that is `DEAD` or `FAILING`. It gets the whole retry schedule again.',
    status: 200,
    reply: JobDetail,
    errors: ['notFound', 'invalid'],
    idempotent: true,
    handle: (context, { path }) => retryJob(context, path['id'] ?? ''),
  }),
]

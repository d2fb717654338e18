import { type Route, route } from '../core/feature/route.ts'
import { retryJob } from './job.ts'
import { jobs } from './readable.ts'
import { JobDetail } from './schema.ts'

const writing = { tag: 'Jobs', access: 'job:write' } as const
const base = '/api/jobs'

export const jobRoutes: Route[] = [
  jobs.list,
  jobs.get,
  route({
    ...writing,
    method: 'POST',
    path: `${base}/:id/retry`,
    summary: 'Retry a failed job now',
    description: 'For a job that is `DEAD` or `FAILING`. It gets the whole retry schedule again.',
    reply: JobDetail,
    errors: ['notFound', 'invalid'],
    idempotent: true,
    handle: (context, { path }) => retryJob(context, path.id),
  }),
]

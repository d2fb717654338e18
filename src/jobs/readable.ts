/** The list of jobs and one job, in REST and GraphQL. The list has no data of jobs. */
import { readable } from '../entity/readable.ts'
import { JobDetail, JobSummary, maxDataBytes } from './schema.ts'
import { nextAttemptAt } from './sql.ts'

export const jobs = readable({
  name: 'job',
  plural: 'jobs',
  type: 'Job',
  label: 'job',
  row: JobDetail,
  listed: JobSummary,
  table: 'queued_job',
  path: '/api/jobs',
  tag: 'Jobs',
  access: 'job:read',
  isNewestFirst: true,
  filters: ['status', 'name'],
  members: {
    data: { jsonBytes: maxDataBytes },
    nextAttemptAt: { derived: nextAttemptAt },
  },
  documents: {
    list: {
      summary: 'List jobs, newest first',
      description:
        'The background work of the tenant. Ended jobs are removed after `JOB_RETENTION_DAYS`. The parameters filter the ' +
        'list, which is always paged.',
    },
    get: {
      summary: 'Get a job with its data',
      description: 'The state of the job, and what it was enqueued with.',
    },
  },
})

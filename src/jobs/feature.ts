import type { AuditCatalogue } from '../core/audit/action.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { Config } from '../core/settings/config.ts'
import type { Database } from '../database/executor.ts'
import { jobColumns } from './columns.ts'
import { jobSecretPurpose } from './enqueue.ts'
import { jobEvents } from './event.ts'
import { formerUserJobs } from './former-user.ts'
import { jobHome } from './home.ts'
import { mailJob } from './mail.ts'
import { jobMetrics } from './metrics/metrics.ts'
import { jobMigrations } from './migration.ts'
import type { JobRuns } from './queue/job-queue.ts'
import { jobs } from './readable.ts'
import { jobRoutes } from './rest.ts'
import { jobRetention } from './retention/retention.ts'
import { schedulesOf } from './schedule/declared.ts'
import { Schedules } from './schedule/schedules.ts'

export const jobAudit = {
  'job.retried': 'A failed job was retried by an administrator',
  'deadJobs.retried': 'The operator of the service retried the jobs of a name that had failed for good',
} satisfies AuditCatalogue

declare module '../core/audit/action.ts' {
  interface AuditActions extends Record<keyof typeof jobAudit, string> {}
}

export interface JobFeatureParts {
  /** Called when metrics are read: the source is created after the features. */
  sources: () => { jobs: JobRuns }
  /** The features of the application, which may have schedules. */
  features: readonly Feature[]
  catalogue: Database
  clock: () => Date
  config: Pick<Config, 'jobRetentionDays'>
}

export function jobFeature({ sources, features, catalogue, clock, config }: JobFeatureParts): Feature {
  return {
    name: 'job',
    permissions: {
      'job:read': { description: 'See jobs', role: 'Admin' },
      'job:write': { description: 'Retry jobs', role: 'Admin' },
    },
    columns: jobColumns,
    migrations: jobMigrations,
    routes: jobRoutes,
    graphql: jobs.graphql,
    home: jobHome,
    events: jobEvents,
    audited: jobAudit,
    jobs: [
      mailJob,
      jobRetention(config.jobRetentionDays),
      ...formerUserJobs(features),
      ...new Schedules(schedulesOf(features)).jobs(),
    ],
    metrics: jobMetrics(() => sources().jobs, catalogue, clock),
    encrypted: [
      {
        purpose: jobSecretPurpose,
        database: 'tenant',
        table: 'queued_job',
        column: 'secret',
        key: ['tenant_id', 'id'],
      },
    ],
  }
}

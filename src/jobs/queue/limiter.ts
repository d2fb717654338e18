/** Limits how many jobs this instance runs at once, for all tenants and for each. */
import type { TenantLimits } from '../../core/queue/permits.ts'
import type { Limit } from '../../database/limit.ts'

export interface JobLimits extends TenantLimits {
  /** How long a job stays claimed after its instance has died. */
  leaseMs: number
  /** How long a stop waits for aborted jobs. */
  abortMs: number
}

export const defaultJobLimits: JobLimits = { total: 100, perTenant: 50, leaseMs: 30_000, abortMs: 5000 }

export const jobLimit: Limit = {
  name: 'jobs that run at once',
  kind: 'permits',
  bounds: { instance: defaultJobLimits.total, tenant: defaultJobLimits.perTenant },
  changedBy: ['jobLimits'],
  beyond: 'jobs wait; tenants take turns, and a quarter is for tenants without a running job',
  metrics: ['tenantry_jobs_running'],
  page: 'jobs.md#at-least-once',
}

/** This share of the total is reserved for tenants without running jobs. */
export const reservedShare = 0.25

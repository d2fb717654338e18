/**
 * The jobs of all databases, as the work of queues: how a queue finds due jobs, claims them under a lease, runs
 * them and records the outcomes. An attempt counts when it begins, and its lease is extended while it runs.
 */
import type { Shared } from '../../core/context.ts'
import { Counter } from '../../core/metric.ts'
import type {
  Claim,
  Claimed,
  EndedAttempt,
  LeasedRow,
  LeasedWork,
  NextDue,
  RunningAttempt,
} from '../../core/queue/leased-work.ts'
import { TenantLimiter } from '../../core/queue/permits.ts'
import type { ServedTenants } from '../../core/queue/served-tenants.ts'
import { QueueData, type TenantData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import type { RowKey } from '../../database/json-rows.ts'
import { jobQueueName } from '../enqueue.ts'
import { claimJobs } from './claim.ts'
import { expireLeases, extendLeases, hasLease, returnJob } from './lease/sql.ts'
import { type JobLimits, reservedShare } from './limiter.ts'
import { recordOutcomes } from './record.ts'
import { type JobOutcome, runJob } from './run.ts'
import { type DueJob, scanTenants } from './sql.ts'
import { interruptedError } from './state.ts'

export interface JobRunsOptions {
  shared: Shared
  tenants: ServedTenants
  /** Seconds between attempts, for jobs without their own schedule. */
  retrySeconds: readonly number[]
  limits: JobLimits
}

export class JobRuns implements LeasedWork<DueJob, JobOutcome> {
  readonly name = jobQueueName
  readonly leaseMs: number
  readonly limiter: TenantLimiter
  readonly attempts = new Counter(['job', 'outcome'])
  readonly #options: JobRunsOptions

  constructor(options: JobRunsOptions) {
    const { limits } = options
    this.#options = options
    this.leaseMs = limits.leaseMs
    this.limiter = new TenantLimiter(limits, Math.floor(limits.total * reservedShare))
  }

  scan(database: Database): Promise<ReadonlyMap<string, number>> {
    return scanTenants(new QueueData(database.executor), this.#options.shared.clock().getTime())
  }

  async expireLeases(database: Database): Promise<void> {
    const now = this.#options.shared.clock().toISOString()
    await database.transaction((transaction) =>
      expireLeases(new QueueData(transaction), now, interruptedError),
    )
  }

  claim(database: Database, claim: Claim): Promise<Claimed<DueJob>> {
    const { shared } = this.#options
    const scheduleOf = (job: DueJob) => this.#scheduleOf(job)
    return claimJobs(database, { ...claim, shared, limiter: this.limiter, scheduleOf })
  }

  extendLeases(database: Database, jobs: readonly LeasedRow[], until: string): Promise<RowKey[]> {
    return database.transaction((transaction) => extendLeases(new QueueData(transaction), jobs, until))
  }

  async attempt(job: DueJob, attempt: RunningAttempt): Promise<JobOutcome | null> {
    const { shared, tenants, limits } = this.#options
    const { database, lease } = attempt
    const tenant = await tenants.find(job.tenantId)
    const { abortMs } = limits
    const outcome = tenant === null ? 'returned' : await runJob(job, { ...attempt, shared, tenant, abortMs })
    if (outcome === 'left') return null
    if (outcome === 'returned') {
      const now = shared.clock().toISOString()
      const { tenantId, id } = job
      await database.transaction((transaction) =>
        returnJob(new QueueData(transaction), { tenantId, id, lease }, now),
      )
      return null
    }
    // The jobs of an imported archive may have any names: each name would be a series of the metric.
    const name = shared.jobs.find(job.name)?.name ?? 'unknown'
    this.attempts.count({ job: name, outcome: outcome.error === null ? 'success' : 'failure' })
    return outcome
  }

  record(database: Database, ended: readonly EndedAttempt<DueJob, JobOutcome>[]): Promise<NextDue[]> {
    return recordOutcomes(this.#options.shared, database, ended, (job) => this.#scheduleOf(job))
  }

  describe({ name, id }: DueJob): object {
    return { job: name, id }
  }

  #scheduleOf({ name }: DueJob): readonly number[] {
    return this.#options.shared.jobs.find(name)?.retrySeconds ?? this.#options.retrySeconds
  }
}

/** Whether a job of the tenant is running. */
export function isRunning(data: TenantData, now: string): Promise<boolean> {
  return hasLease(data, now)
}

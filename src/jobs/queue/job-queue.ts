/** The queues of jobs: a pass claims due jobs, runs them, and records their outcomes. */
import type { Shared } from '../../core/context.ts'
import { TurnScheduler } from '../../core/limits/turn-scheduler.ts'
import { Counter } from '../../core/metric.ts'
import { DueIndex } from '../../core/queue/due-index.ts'
import { nothingDue, type Pass, type Queue, type QueueKind } from '../../core/queue/queue.ts'
import type { ServedTenants } from '../../core/queue/served-tenants.ts'
import { StaleLeases } from '../../core/queue/stale-leases.ts'
import { QueueData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import { jobQueueName } from '../enqueue.ts'
import { claimJobs } from './claim.ts'
import { expireAllLeases, HeldLeases } from './lease/leases.ts'
import { returnJobs } from './lease/sql.ts'
import { JobLimiter, type JobLimits } from './limiter.ts'
import { createRecorder, type JobRecorder } from './record.ts'
import { runJob, Stopping } from './run.ts'
import { type DueJob, walkTenants } from './sql.ts'

export interface JobRunsOptions {
  shared: Shared
  tenants: ServedTenants
  /** Seconds between attempts, for jobs without their own schedule. */
  retrySeconds: readonly number[]
  limits: JobLimits
}

/** What the queues of all databases share. */
interface JobParts extends JobRunsOptions {
  limiter: JobLimiter
  attempts: Counter<'job' | 'outcome'>
  /** `null` on PostgreSQL, where leases may belong to other instances. */
  staleLeases: StaleLeases | null
  stopping: Stopping
}

/** The queues of jobs of all databases. */
export class JobRuns implements QueueKind {
  readonly name = jobQueueName
  readonly attempts = new Counter(['job', 'outcome'])
  readonly limiter: JobLimiter
  readonly #parts: JobParts
  readonly #stopping = new Stopping()

  constructor(options: JobRunsOptions) {
    const { clock, catalogueDatabase } = options.shared
    const staleLeases = new StaleLeases((database) => expireAllLeases(database, clock))
    this.limiter = new JobLimiter(options.limits)
    this.#parts = {
      ...options,
      ...{ limiter: this.limiter, attempts: this.attempts, stopping: this.#stopping },
      staleLeases: catalogueDatabase.dialect === 'sqlite' ? staleLeases : null,
    }
  }

  get leaseMs(): number {
    return this.#parts.limits.leaseMs
  }

  createQueue(): Queue {
    return new JobQueue(this.#parts)
  }

  abort(): void {
    this.#stopping.begin()
  }
}

/** Many jobs are claimed at once, and they begin in turns. */
const turns = new TurnScheduler()

/** The queue of one database. The keys of its due index are tenants. */
class JobQueue implements Queue {
  readonly dueIndex = new DueIndex()
  readonly #parts: JobParts
  readonly #leases: HeldLeases
  #recorder: JobRecorder | null = null

  constructor(parts: JobParts) {
    this.#parts = parts
    const { clock, log } = parts.shared
    this.#leases = new HeldLeases({ clock, log, leaseMs: parts.limits.leaseMs })
  }

  async walk(database: Database): Promise<ReadonlyMap<string, number>> {
    await this.#parts.staleLeases?.expire(database)
    return walkTenants(new QueueData(database.executor), this.#parts.shared.clock().getTime())
  }

  canResume(): boolean {
    const { shared, limiter } = this.#parts
    return this.dueIndex.firstDue(shared.clock().getTime(), (id) => limiter.available(id) > 0) !== null
  }

  async pass(database: Database): Promise<Pass> {
    const { shared, limiter, limits, staleLeases } = this.#parts
    await staleLeases?.expire(database)
    const now = shared.clock()
    const due = await this.#dueTenants(database, now)
    const tenantIds = due.filter((id) => limiter.available(id) > 0)
    if (tenantIds.length === 0) return { ...nothingDue, isHeldBack: due.length > 0 }
    const scheduleOf = (name: string) => this.#scheduleOf(name)
    const claim = { shared, limiter, tenantIds, now, scheduleOf, leaseMs: limits.leaseMs }
    const { lease, jobs, nextDue } = await claimJobs(database, claim)
    for (const [id, dueMs] of nextDue) this.dueIndex.replace(id, dueMs)
    const begun = jobs.map((job) => this.#run(database, job, lease))
    const left = this.dueIndex.due(now.getTime())
    const isMore = left.some((id) => limiter.available(id) > 0)
    return { begun, hasWritten: true, isMore, isHeldBack: left.length > 0 }
  }

  /** Removes inactive tenants, and tenants that are served elsewhere, until the next walk. */
  async #dueTenants(database: Database, now: Date): Promise<string[]> {
    const due = this.dueIndex.due(now.getTime())
    const served = await this.#parts.tenants.servedOf(database, due)
    for (const id of due) if (!served.has(id)) this.dueIndex.replace(id, null)
    return due.filter((id) => served.has(id))
  }

  async #run(database: Database, job: DueJob, lease: string): Promise<void> {
    await turns.take([job.tenantId])
    try {
      await this.#attempt(database, job, lease)
    } catch (error) {
      // The job runs again when its lease ends.
      this.#parts.shared.log.error({ err: error, job: job.name, id: job.id }, 'job not run')
    }
    this.#parts.limiter.release(job.tenantId, 1)
  }

  async #attempt(database: Database, job: DueJob, lease: string): Promise<void> {
    const { shared, tenants, attempts, stopping, limits } = this.#parts
    const leased = { tenantId: job.tenantId, id: job.id, lease }
    const ending = new AbortController()
    const release = this.#leases.hold(database, leased, () => ending.abort())
    if (release === null) return
    const tenant = await tenants.find(job.tenantId)
    try {
      const options = { shared, database, stopping, ending, abortMs: limits.abortMs }
      const outcome = tenant === null ? 'returned' : await runJob(job, { ...options, tenant })
      if (outcome === 'left') return
      if (outcome === 'returned') return await this.#return(database, leased)
      // An archive may bring any names: each would be a series.
      const name = shared.jobs.find(job.name)?.name ?? 'unknown'
      attempts.count({ job: name, outcome: outcome.error === null ? 'success' : 'failure' })
      const schedule = this.#scheduleOf(job.name)
      const result = { job, lease, schedule, endedAt: shared.clock(), error: outcome.error }
      const state = await this.#recorderOf(database).record(result)
      if (state?.nextAt) this.dueIndex.note(job.tenantId, Date.parse(state.nextAt))
    } finally {
      release()
    }
  }

  #return(database: Database, leased: { tenantId: string; id: string; lease: string }): Promise<void> {
    const now = this.#parts.shared.clock().toISOString()
    return database.transaction((transaction) => returnJobs(new QueueData(transaction), [leased], now))
  }

  #scheduleOf(name: string): readonly number[] {
    return this.#parts.shared.jobs.find(name)?.retrySeconds ?? this.#parts.retrySeconds
  }

  /** A new one if the tenant's own database was closed and opened again. */
  #recorderOf(database: Database): JobRecorder {
    const { shared, stopping } = this.#parts
    if (this.#recorder?.database !== database)
      this.#recorder = createRecorder(shared, database, stopping.signal)
    return this.#recorder
  }
}

/** Leases of running jobs: extended while they run, expired after a restart, and awaited by operations on tenants. */
import type { Logger } from '../../../core/context.ts'
import { QueueData, type TenantData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { interruptedError } from '../state.ts'
import { expireLeases, extendLeases, hasLease, type LeasedJob } from './sql.ts'

/** Whether a job of the tenant is running. */
export function isRunning(data: TenantData, now: string): Promise<boolean> {
  return hasLease(data, now)
}

/** Makes jobs due that ran when the process before this one ended. */
export async function expireAllLeases(database: Database, clock: () => Date): Promise<void> {
  await database.transaction((transaction) =>
    expireLeases(new QueueData(transaction), clock().toISOString(), interruptedError),
  )
}

interface Held {
  job: LeasedJob
  untilMs: number
  lost(): void
}

export interface LeaseOptions {
  clock: () => Date
  log: Logger
  leaseMs: number
}

/** Extends the leases of the jobs that run in one database, so that a job may take any time. */
export class HeldLeases {
  readonly #options: LeaseOptions
  readonly #held = new Map<string, Held>()
  #timer: NodeJS.Timeout | null = null

  constructor(options: LeaseOptions) {
    this.#options = options
  }

  /**
   * @param lost called when the lease could not be extended: another instance may run the job
   * @returns ends the extending; `null` when this instance still runs the job under an earlier lease
   */
  hold(database: Database, job: LeasedJob, lost: () => void): (() => void) | null {
    const key = `${job.tenantId}/${job.id}`
    if (this.#held.has(key)) return null
    this.#held.set(key, { job, untilMs: this.#nowMs() + this.#options.leaseMs, lost })
    this.#timer ??= setInterval(() => void this.#extend(database), this.#options.leaseMs / 3).unref()
    return () => {
      this.#held.delete(key)
      if (this.#held.size > 0 || this.#timer === null) return
      clearInterval(this.#timer)
      this.#timer = null
    }
  }

  async #extend(database: Database): Promise<void> {
    const { leaseMs, log } = this.#options
    const extended = [...this.#held.values()]
    const untilMs = this.#nowMs() + leaseMs
    try {
      const jobs = extended.map(({ job }) => job)
      const until = new Date(untilMs).toISOString()
      const kept = await database.transaction((transaction) =>
        extendLeases(new QueueData(transaction), jobs, until),
      )
      const keys = new Set(kept.map(({ tenantId, id }) => `${tenantId}/${id}`))
      for (const each of extended) {
        if (keys.has(`${each.job.tenantId}/${each.job.id}`)) each.untilMs = untilMs
        else each.lost()
      }
    } catch (error) {
      log.warn({ err: error, jobs: extended.length }, 'leases of jobs not extended yet')
      // The next attempt would come after the end of the lease.
      for (const each of extended) if (each.untilMs < this.#nowMs() + leaseMs / 2) each.lost()
    }
  }

  #nowMs(): number {
    return this.#options.clock().getTime()
  }
}

/** Schedules: cron expressions that enqueue a job for each active tenant, or once for the installation. */

import { Cron } from 'croner'
import type { Static, TSchema } from 'typebox'
import { errorMessage } from '../../database/thrown.ts'
import type { Context, JobAttempt } from '../context.ts'
import { defined } from '../defined.ts'
import { job, type QueuedJob } from './job.ts'

export interface Schedule {
  readonly name: string
  readonly for: 'tenants' | 'installation'
  /** The cron expression with its time zone. */
  readonly expression: string
  /** The time over which the tenants' jobs are spread. */
  readonly spreadSeconds: number
  /** The job that each occurrence of the schedule enqueues. */
  readonly job: QueuedJob
  readonly data: unknown
  /** Whether the schedule has declared the job itself. */
  readonly isOwnJob: boolean
  /** @returns the first occurrence after the moment @throws Error when there is none */
  next(after: Date): Date
  /** @returns the last occurrence at the moment or before it; `null` when there was none */
  latest(moment: Date): Date | null
}

interface Timing {
  /** Five fields (minute, hour, day of the month, month, day of the week), or a name such as `@daily`. */
  cron: string
  /** A name of the IANA database, such as `Europe/Berlin`; `UTC` by default. */
  timeZone?: string
  /** `tenants` (default): a job for each active tenant. `installation`: one job with the rights of the operator. */
  for?: 'tenants' | 'installation'
  /** The time over which the tenants' jobs are spread: 600 by default, at most half the time to the next occurrence. */
  spreadSeconds?: number
}

interface OwnRun {
  run(context: Context, attempt: JobAttempt): Promise<void>
  retrySeconds?: readonly number[]
  timeoutSeconds?: number
}

interface Enqueued<S extends TSchema> {
  /** The job to enqueue, with its data. */
  enqueue: QueuedJob<Static<S>>
  data: Static<S>
}

export type ScheduleOptions<S extends TSchema> = Timing & (OwnRun | Enqueued<S>)

const defaultSpreadSeconds = 600
const maxSpreadSeconds = 24 * 60 * 60

/**
 * @param name identifies the schedule: with another name it begins anew
 * @throws Error for a cron expression or a time zone that is not valid, or that never occurs
 */
export function schedule<S extends TSchema>(name: string, options: ScheduleOptions<S>): Schedule {
  const { cron, timeZone = 'UTC', for: audience = 'tenants', spreadSeconds = defaultSpreadSeconds } = options
  if (!(spreadSeconds >= 0 && spreadSeconds <= maxSpreadSeconds))
    throw new Error(`spreadSeconds of the schedule ${name} must be at most ${maxSpreadSeconds}.`)
  const times = timesOf(name, cron, timeZone)
  const isForInstallation = audience === 'installation'
  const isOwnJob = 'run' in options
  return {
    ...times,
    name,
    for: audience,
    isOwnJob,
    expression: `${cron} ${timeZone}`,
    spreadSeconds: isForInstallation ? 0 : spreadSeconds,
    job: isOwnJob ? ownJob(name, options, isForInstallation) : options.enqueue,
    data: isOwnJob ? {} : options.data,
  }
}

function ownJob(name: string, { run, retrySeconds, timeoutSeconds }: OwnRun, isForInstallation: boolean) {
  const own = {
    run: (context: Context, _data: unknown, attempt: JobAttempt) => run(context, attempt),
    ...defined({ retrySeconds, timeoutSeconds }),
  }
  return job(name, own, isForInstallation)
}

function timesOf(name: string, cron: string, timezone: string): Pick<Schedule, 'next' | 'latest'> {
  const times = parsed(name, cron, timezone)
  return {
    next: (after) => {
      const next = times.nextRun(after)
      if (next === null) throw new Error(`The schedule ${name} does not occur after ${after.toISOString()}.`)
      return next
    },
    // The library returns occurrences before the moment.
    latest: (moment) => times.previousRuns(1, new Date(moment.getTime() + 1))[0] ?? null,
  }
}

/** Parses a cron expression of five fields: with seconds, a schedule could occur faster than it is processed. */
function parsed(name: string, cron: string, timezone: string): Cron {
  try {
    const times = new Cron(cron, { mode: '5-part', timezone })
    if (times.nextRun() === null) throw new Error('it never occurs')
    return times
  } catch (error) {
    const reason = errorMessage(error)
    throw new Error(`The cron expression of the schedule ${name} is not valid: ${reason}`, { cause: error })
  }
}

/** Jobs: work at intervals in every instance, and work that is queued for a tenant. */

import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Context, DeclaredJob, JobAttempt } from '../context.ts'
import { errorFinder, type SchemaError } from '../schema/schema-errors.ts'
import { ApplicationError } from './application-error.ts'

export type Job = IntervalJob | QueuedJob

/** Periodic work while the service runs. Every instance runs it, so it must be safe to run twice. */
export interface IntervalJob {
  name: string
  /** At least 1, and at most the longest time that a timer of Node.js waits: 24 days. */
  everyMs: number
  /** Whether the work also runs once when the service has started. */
  atStart?: boolean
  /**
   * @param context with the rights of the operator
   * @param signal aborted when the service stops and waits for the run; throwing its reason is not a failure
   */
  run(context: Context, signal: AbortSignal): Promise<void>
}

/** Work that `enqueue` stores for a tenant. It runs at least once, on one instance at a time. */
export interface QueuedJob<D = never> {
  readonly kind: 'queued'
  readonly name: string
  readonly data: TSchema
  readonly retrySeconds: readonly number[] | null
  readonly timeoutSeconds: number
  readonly isForInstallation: boolean
  run(context: Context, data: D, attempt: JobAttempt): Promise<void>
}

/** The data of jobs that are enqueued by name. An application adds its own by declaration merging. */
export interface JobData extends Record<never, unknown> {}

export interface JobOptions<S extends TSchema> {
  /** The schema of the data: JSON of at most 64 KiB. No data if absent. */
  data?: S
  /**
   * Runs with a context of the tenant, outside a transaction, as an administrator without a session. `context.signal`
   * is aborted when the time is over or the service stops. If it throws, it runs again later.
   */
  run(context: Context, data: Static<S>, attempt: JobAttempt): Promise<void>
  /** Seconds from each failed attempt to the next, at most 50; `WEBHOOK_RETRY_SECONDS` if absent. */
  retrySeconds?: readonly number[]
  /** After this time the signal is aborted, 60 by default. The attempt has then failed. */
  timeoutSeconds?: number
}

const defaultTimeoutSeconds = 60
const maxTimeoutSeconds = 24 * 60 * 60
const maxRetries = 50
const maxRetrySeconds = 30 * 24 * 60 * 60
const maxIntervalMs = 2 ** 31 - 1
const namePattern = /^[A-Za-z0-9][\w .:-]{0,99}$/

/**
 * @param name such as `invoice.remind`
 * @param isForInstallation the job runs with the rights of the operator, for the host tenant only
 * @throws Error for a name or an option that makes no sense
 */
export function job<S extends TSchema = TObject<Record<never, TSchema>>>(
  name: string,
  options: JobOptions<S>,
  isForInstallation = false,
): QueuedJob<Static<S>> {
  const { data = Type.Object({}), run, retrySeconds = null } = options
  const { timeoutSeconds = defaultTimeoutSeconds } = options
  if (!namePattern.test(name))
    throw new Error(
      `The name of the job ${JSON.stringify(name)} must be 1 to 100 letters, digits, spaces and . : _ -`,
    )
  if (!(timeoutSeconds > 0 && timeoutSeconds <= maxTimeoutSeconds))
    throw new Error(`timeoutSeconds of the job ${name} must be at most ${maxTimeoutSeconds}.`)
  if (retrySeconds !== null && !isRetrySchedule(retrySeconds))
    throw new Error(`retrySeconds of the job ${name} must be at most ${maxRetries} numbers of seconds.`)
  return { kind: 'queued', name, data, run, retrySeconds, timeoutSeconds, isForInstallation }
}

function isQueued(each: Job): each is QueuedJob {
  return 'kind' in each
}

/** Whether the job runs at intervals in every instance, instead of being queued. */
export function isAtIntervals(each: Job): each is IntervalJob {
  return !isQueued(each)
}

/** The queued jobs of all features, by name, and a check of those that run at intervals. */
export class Jobs {
  readonly #jobs = new Map<string, DeclaredJob>()

  /** @throws ApplicationError when two features declare the same name, and for an interval that no timer waits for */
  constructor(jobs: readonly Job[]) {
    for (const { name, everyMs } of jobs.filter(isAtIntervals))
      if (!(everyMs >= 1 && everyMs <= maxIntervalMs))
        throw new ApplicationError(
          `everyMs of the job ${name} must be from 1 to ${maxIntervalMs}, which is 24 days.`,
        )
    for (const each of jobs.filter(isQueued)) {
      if (this.#jobs.has(each.name)) throw new ApplicationError(`Two features declare the job ${each.name}.`)
      this.#jobs.set(each.name, declared(each))
    }
  }

  /** @returns `null` for an unknown job */
  find(name: string): DeclaredJob | null {
    return this.#jobs.get(name) ?? null
  }
}

function declared({ data: schema, run, ...each }: QueuedJob): DeclaredJob {
  let check: { Check(value: unknown): boolean; errors(value: unknown): SchemaError[] } | null = null
  return {
    ...each,
    faultsOf: (data) => {
      check ??= checkOf(schema) // on first use: most processes run few jobs
      if (check.Check(data)) return null
      const faults = check.errors(data)
      return faults.map(({ instancePath, message }) => `${instancePath} ${message}`.trim()).join('; ')
    },
    run: (context, data, attempt) => run(context, data as never, attempt), // the caller has validated it
  }
}

function checkOf(schema: TSchema) {
  const compiled = Compile(schema)
  return { Check: (value: unknown) => compiled.Check(value), errors: errorFinder(compiled) }
}

function isRetrySchedule(seconds: readonly number[]): boolean {
  const isValid = (each: number) => Number.isFinite(each) && each >= 0 && each <= maxRetrySeconds
  return seconds.length <= maxRetries && seconds.every(isValid)
}

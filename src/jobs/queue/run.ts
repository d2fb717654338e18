/** Runs one attempt of a job, with a time limit, and until the service stops. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Context, type DeclaredJob, hostTenantId, type Shared, type Tenant } from '../../core/context.ts'
import { callerJobContext, jobContext, operatorContext } from '../../core/create-context.ts'
import { ServiceError } from '../../core/errors.ts'
import { failureText } from '../../core/queue/failure-text.ts'
import type { RunningAttempt } from '../../core/queue/leased-work.ts'
import type { DueJob } from './sql.ts'

export interface JobOutcome {
  /** `null` after a success. */
  error: string | null
}

/**
 * `returned`: the service stops, and the attempt does not count. `left`: the attempt
 * continues although it was aborted.
 */
type AttemptEnd = JobOutcome | 'returned' | 'left'

export interface RunOptions extends RunningAttempt {
  shared: Shared
  tenant: Tenant
  /** How long an aborted job may take to end when the service stops. */
  abortMs: number
}

/** Never rejects. */
export async function runJob(due: DueJob, options: RunOptions): Promise<AttemptEnd> {
  const { shared, stopping, ending, abortMs } = options
  if (stopping.aborted) return 'returned'
  const job = shared.jobs.find(due.name)
  if (job === null) return { error: 'No feature declares the job.' }
  const data = parse(due.data)
  const faults = job.faultsOf(data)
  if (faults !== null)
    return { error: `The data does not match the schema of the job: ${faults}`.slice(0, 500) }
  const late = new Error(`The job took longer than ${job.timeoutSeconds} seconds.`)
  const timer = setTimeout(() => ending.abort(late), job.timeoutSeconds * 1000)
  const { promise: left, resolve: leave } = Promise.withResolvers<AttemptEnd>()
  const stop = (): void => {
    ending.abort(new Error('The service stops.'))
    void delay(abortMs, null, { ref: false }).then(() => leave('left'))
  }
  stopping.addEventListener('abort', stop)
  const ended = attempt(due, options, async () => {
    const context = await contextOf(due, job, options)
    await job.run(context, data, { jobId: due.id, attempt: due.attempts + 1 })
  })
  return Promise.race([ended, left]).finally(() => {
    clearTimeout(timer)
    stopping.removeEventListener('abort', stop)
  })
}

async function attempt(
  due: DueJob,
  { shared, stopping }: RunOptions,
  run: () => Promise<void>,
): Promise<AttemptEnd> {
  try {
    await run()
    return { error: null }
  } catch (error) {
    if (stopping.aborted) return 'returned'
    const detail = { tenantId: due.tenantId, job: due.name, id: due.id, attempt: due.attempts + 1 }
    shared.log.warn({ err: error, ...detail }, 'job failed')
    return { error: failureText(error) ?? `The job failed. The log has the cause under the id ${due.id}.` }
  }
}

/** @throws ServiceError `forbidden` for an imported job that is not for the tenant, and for a caller who is deleted */
async function contextOf(
  due: DueJob,
  { isForInstallation }: DeclaredJob,
  { shared, tenant, database, ending: { signal } }: RunOptions,
): Promise<Context> {
  const { name: job, hops, origin } = due
  const source = { tenant, database, job, signal, hops, origin }
  if (isForInstallation) {
    if (tenant.id === hostTenantId) return operatorContext(shared, tenant, signal)
    throw new ServiceError('forbidden', 'The job is for the host tenant only.')
  }
  if (due.caller === null) return jobContext(shared, source)
  const caller = await shared.callers.load(tenant.id, due.caller)
  if (caller === null)
    throw new ServiceError('forbidden', `Whoever enqueued the job is deleted or deactivated: ${due.caller}.`)
  return callerJobContext(shared, source, caller)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // only an imported job has invalid JSON; no schema accepts `undefined`
  }
}

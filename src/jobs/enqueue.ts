/**
 * Enqueues jobs. A job is a row in the database of its tenant, stored in the
 * transaction of the change that requires it.
 */
import { userIdOf } from '../core/actor.ts'
import { type Context, type DeclaredJob, now } from '../core/context.ts'
import { invalidField } from '../core/errors.ts'
import type { JobData, QueuedJob } from '../core/feature/job.ts'
import { newId } from '../core/id.ts'
import { keyOwner, userOwner } from '../core/owner.ts'
import { inTransaction } from '../core/transaction.ts'
import { maxDataBytes } from './schema.ts'
import { insertJob, type NewJob } from './sql.ts'

export const jobQueueName = 'jobs'

export const jobSecretPurpose = 'job-secret'

const maxKeyLength = 200

export interface EnqueueOptions {
  /** When the job is due; at once by default. */
  at?: Date
  /** While a job with this name and key waits for its first attempt, no second one is stored. */
  key?: string
  /**
   * The rights of the job. `caller`: those that the user or the API key of the context has when the job runs. `tenant`,
   * the default: those of an administrator.
   */
  as?: 'caller' | 'tenant'
}

/**
 * Stores a job of the context's tenant. Inside a transaction, the job is committed or rolled back with it. Outside of a
 * transaction, it is stored when the promise resolves.
 * @param job the job, or its name
 * @returns the id of the job; if a waiting job has the same key, the id of the waiting job
 * @throws Error for an unknown job, for data that does not match its schema, and for `as:
 *   'caller'` without a user or key
 * @throws ServiceError `invalid` for data of more than 64 KiB
 */
export function enqueue<N extends keyof JobData & string>(
  context: Context,
  job: N,
  data: JobData[N],
  options?: EnqueueOptions,
): Promise<string>
export function enqueue<D>(
  context: Context,
  job: QueuedJob<D>,
  data: NoInfer<D>,
  options?: EnqueueOptions,
): Promise<string>
export function enqueue(
  context: Context,
  job: string | QueuedJob,
  data: unknown,
  options: EnqueueOptions = {},
): Promise<string> {
  return store(context, job, data, options)
}

/** Enqueues a job with a secret, which no API shows. The data of a job is shown to everybody who may see jobs. */
export function enqueueWithSecret<D>(
  context: Context,
  job: QueuedJob<D>,
  data: NoInfer<D>,
  secret: string,
): Promise<string> {
  return store(context, job, data, { secret })
}

function store(
  context: Context,
  job: string | QueuedJob,
  data: unknown,
  { at, key, as, secret }: EnqueueOptions & { secret?: string },
): Promise<string> {
  const name = typeof job === 'string' ? job : job.name
  const declared = context.shared.jobs.find(name)
  if (declared === null) throw new Error(`No feature declares the job ${name}.`)
  return inTransaction(context, async (inside) => {
    const moment = now(inside)
    const dueAt = at === undefined ? moment : at.toISOString()
    const { hops, origin, shared } = inside
    const encrypted = secret === undefined ? null : shared.secretBox.encrypt(secret, jobSecretPurpose)
    const row = {
      ...newJob(declared, data, key),
      secret: encrypted,
      caller: as === 'caller' ? callerOf(inside, name) : null,
      id: newId(),
      created_at: moment,
      next_at: dueAt,
    }
    const stored = await insertJob(inside.data, { ...row, hops, origin })
    noteAfterCommit(inside, stored.dueAt)
    return stored.id
  })
}

/** @throws Error for data that does not match the schema; ServiceError `invalid` for a long key or much data */
export function newJob(
  job: DeclaredJob,
  data: unknown,
  key: string | undefined,
): Pick<NewJob, 'name' | 'key' | 'pending_key' | 'data' | 'secret' | 'caller'> {
  const faults = job.faultsOf(data)
  if (faults !== null) throw new Error(`The data of the job ${job.name} does not match its schema: ${faults}`)
  const text = JSON.stringify(data)
  if (Buffer.byteLength(text) > maxDataBytes)
    throw invalidField('data', `must not be larger than ${maxDataBytes / 1024} KiB`, {
      code: 'tooLarge',
      parameters: { limit: maxDataBytes / 1024, unit: 'KiB' },
    })
  if (key !== undefined && (key.length > maxKeyLength || key.includes('\0') || !key.isWellFormed()))
    throw invalidField('key', `must be text of at most ${maxKeyLength} characters`, 'badPattern')
  return {
    name: job.name,
    key: key ?? null,
    pending_key: key === undefined ? null : `${job.name}\n${key}`,
    data: text,
    secret: null,
    caller: null,
  }
}

/** @throws Error for a caller that is neither a user nor an API key, whose rights could not be loaded later */
function callerOf({ actor }: Context, job: string): string {
  if (actor?.credential.kind === 'apiKey') return keyOwner(actor.id)
  const userId = actor === null ? null : userIdOf(actor)
  if (userId === null) throw new Error(`The job ${job} has no caller: nobody has signed in.`)
  return userOwner(userId)
}

/** Wakes the worker of the database after the commit. @throws Error outside a transaction */
export function noteAfterCommit(inside: Context, dueAt: string): void {
  const { shared, tenant, transaction, transactionDatabase: database } = inside
  if (transaction === null || database === null) throw new Error('A job was enqueued outside a transaction.')
  const due = { queue: jobQueueName, key: tenant.id, dueMs: Date.parse(dueAt) }
  transaction.afterCommit(() => shared.noteDue(tenant.id, database, due))
}

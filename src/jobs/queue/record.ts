/** Records the outcomes of attempts, with the event of a job whose last attempt failed. */
import type { Shared } from '../../core/context.ts'
import { serviceContext, webhookContext } from '../../core/create-context.ts'
import { publish } from '../../core/events/publish.ts'
import type { EndedAttempt, NextDue } from '../../core/queue/leased-work.ts'
import { QueueData } from '../../database/data.ts'
import type { Database, Transaction } from '../../database/executor.ts'
import { endJobs, writeStates } from './lease/sql.ts'
import type { JobOutcome } from './run.ts'
import type { DueJob } from './sql.ts'
import { interruptedError, stateAfter } from './state.ts'

/** Writes the state of each job only if the lease is still held. @throws DatabaseUnavailable */
export function recordOutcomes(
  shared: Shared,
  database: Database,
  ended: readonly EndedAttempt<DueJob, JobOutcome>[],
  scheduleOf: (job: DueJob) => readonly number[],
): Promise<NextDue[]> {
  const states = ended.map((each) => stateAfter(each, scheduleOf(each.work)))
  return database.transaction(async (transaction) => {
    const written = await writeStates(new QueueData(transaction), states)
    const ids = new Set(written.map(({ tenantId, id }) => `${tenantId}/${id}`))
    for (const [index, { work, outcome }] of ended.entries()) {
      const isDead = states[index]?.status === 'DEAD' && ids.has(`${work.tenantId}/${work.id}`)
      if (isDead) await publishFailure(shared, { database, transaction }, work, outcome.error ?? '')
    }
    return states.map(({ tenantId: key, nextAt }) => ({ key, nextAt }))
  })
}

interface OpenTransaction {
  database: Database
  transaction: Transaction
}

/** @param job as it was before its last attempt */
async function publishFailure(
  shared: Shared,
  { database, transaction }: OpenTransaction,
  { tenantId, id, name, attempts, hops, origin }: DueJob,
  error: string,
): Promise<void> {
  const service = serviceContext(shared, database, transaction)
  // The event of a job that a webhook has caused belongs to the chain of that webhook:
  // the length of a chain is limited.
  const context = origin === null ? service : webhookContext(service, { hops, origin })
  await publish(context, 'job.failed', { jobId: id, name, attempts: attempts + 1, error }, tenantId)
}

/** Ends jobs without another attempt, in the transaction that has locked them. */
export async function endInterrupted(
  shared: Shared,
  inside: OpenTransaction,
  jobs: readonly DueJob[],
  now: string,
): Promise<void> {
  if (jobs.length === 0) return
  await endJobs(new QueueData(inside.transaction), jobs, { now, error: interruptedError })
  for (const job of jobs)
    await publishFailure(shared, inside, { ...job, attempts: job.attempts - 1 }, interruptedError)
}

/** The state of a job after an attempt: ended, or due again by the retry schedule. Pure. */
import type { EndedAttempt } from '../../core/queue/leased-work.ts'
import { nextAttempt } from '../../core/queue/retry.ts'
import type { JobState } from './lease/sql.ts'
import type { JobOutcome } from './run.ts'
import type { DueJob } from './sql.ts'

export const interruptedError = 'The process ended during the attempt.'

/** @param schedule seconds between attempts */
export function stateAfter(
  { work: job, lease, endedAt, outcome: { error } }: EndedAttempt<DueJob, JobOutcome>,
  schedule: readonly number[],
): JobState {
  const { tenantId, id } = job
  const finishedAt = endedAt.toISOString()
  const ended = { tenantId, id, lease, nextAt: null, finishedAt, error }
  if (error === null) return { ...ended, status: 'SUCCEEDED' }
  const attempts = job.attempts + 1 - job.attemptsBefore
  const next = nextAttempt({ schedule, attempts, now: endedAt, retryAfter: null, isGone: false })
  if ('dead' in next) return { ...ended, status: 'DEAD' }
  return { ...ended, status: 'FAILING', nextAt: next.at.toISOString(), finishedAt: null }
}

/** Whether the process died during the last attempt that the schedule allows: the job may be the cause. */
export function isExhausted({ attempts, attemptsBefore }: DueJob, schedule: readonly number[]): boolean {
  return attempts - attemptsBefore > schedule.length
}

/** The state of a job after an attempt: ended, or due again by the retry schedule. Pure. */
import { nextAttempt } from '../../core/queue/retry.ts'
import type { JobState } from './lease/sql.ts'
import type { DueJob } from './sql.ts'

/** An attempt that has ended. */
export interface JobResult {
  /** As it was before the attempt. */
  job: DueJob
  lease: string
  /** Seconds between attempts. */
  schedule: readonly number[]
  endedAt: Date
  /** `null` after a success. */
  error: string | null
}

export const interruptedError = 'The process ended during the attempt.'

export function stateAfter({ job, lease, schedule, endedAt, error }: JobResult): JobState {
  const { tenantId, id } = job
  const finishedAt = endedAt.toISOString()
  const ended = { tenantId, id, lease, nextAt: null, finishedAt, error }
  if (error === null) return { ...ended, status: 'SUCCEEDED' }
  const attempts = job.attempts + 1 - job.attemptsBefore
  const next = nextAttempt({ schedule, attempts, now: endedAt, retryAfter: null, isGone: false })
  if ('dead' in next) return { ...ended, status: 'DEAD' }
  return { ...ended, status: 'FAILING', nextAt: next.at.toISOString(), finishedAt: null }
}

/** Whether the process has ended during the last attempt that the schedule allows: such a job may be the cause. */
export function isExhausted({ attempts, attemptsBefore }: DueJob, schedule: readonly number[]): boolean {
  return attempts - attemptsBefore > schedule.length
}

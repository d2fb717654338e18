/** Computes the state of a mail after an attempt: sent, due again by the retry schedule, or given up. */
import type { EndedAttempt } from '../../core/queue/leased-work.ts'
import { nextAttempt } from '../../core/queue/retry.ts'
import type { MailOutcome } from './attempt.ts'
import type { DueMail, MailState } from './sql.ts'

export const interruptedError = 'The process ended during the attempt.'
const expiredError = 'The links in the mail expired before it could be sent.'

/** @param schedule seconds between attempts */
export function stateAfter(
  { work: mail, endedAt, outcome: { error, isForEver } }: EndedAttempt<DueMail, MailOutcome>,
  schedule: readonly number[],
): MailState {
  const { id } = mail
  const ended = { id, nextAt: null, sentAt: null }
  if (error === null)
    return { ...ended, status: 'SENT', sentAt: endedAt.toISOString(), error, keepsContent: false }
  const attempts = mail.attempts + 1 - mail.attemptsBefore
  const next = nextAttempt({ schedule, attempts, now: endedAt, retryAfter: null, isGone: isForEver })
  if ('dead' in next) return { ...ended, status: 'DEAD', error, keepsContent: true }
  return { ...ended, status: 'PENDING', nextAt: next.at.toISOString(), error, keepsContent: true }
}

/** @returns the state of a mail that is not attempted again; `null` for a mail to attempt */
export function stateWithoutAttempt(
  { id, attempts, attemptsBefore, content, expiresAt }: DueMail,
  { now, schedule }: { now: string; schedule: readonly number[] },
): MailState | null {
  const dead = { id, status: 'DEAD', nextAt: null, sentAt: null } as const
  if (content === null || (expiresAt !== null && expiresAt <= now))
    return { ...dead, error: expiredError, keepsContent: false }
  // The process ended during the last attempt that the schedule allows. The mail may be the cause.
  if (attempts - attemptsBefore > schedule.length)
    return { ...dead, error: interruptedError, keepsContent: true }
  return null
}

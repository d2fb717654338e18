/** The retry schedule of deliveries and actions. Its functions are pure: the caller supplies the present moment. */

export interface FailedAttempt {
  /** Seconds from each failed attempt to the next. */
  schedule: readonly number[]
  /** Attempts made so far, including the failed one. */
  attempts: number
  now: Date
  /** The header as the receiver sent it; `null` for none. */
  retryAfter: string | null
  /** Whether the receiver answered 410 Gone. */
  isGone: boolean
}

export type NextAttempt = { at: Date } | { dead: 'gone' | 'exhausted' }

/** The longest time by which a receiver may postpone the next attempt. */
const maxPostponementSeconds = 60 * 60

/** @returns the time of the schedule, or a later one that the receiver has asked for */
export function nextAttempt({ schedule, attempts, now, retryAfter, isGone }: FailedAttempt): NextAttempt {
  if (isGone) return { dead: 'gone' }
  const scheduled = schedule[attempts - 1]
  if (scheduled === undefined) return { dead: 'exhausted' }
  const asked = Math.min(secondsToWait(retryAfter, now), maxPostponementSeconds)
  return { at: new Date(now.getTime() + Math.max(scheduled, asked) * 1000) }
}

/** Retry-After in either form (RFC 9110, section 10.2.3); 0 for a moment in the past and for any other text. */
function secondsToWait(retryAfter: string | null, now: Date): number {
  const text = retryAfter?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const moment = httpDate(text)
  return moment === null ? 0 : Math.max(0, (moment - now.getTime()) / 1000)
}

const day = '(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?'
const dated = new RegExp(`^${day},? [\\w: -]+ GMT$`)
const asctime = new RegExp(`^${day} [A-Z][a-z]{2} [ \\d]\\d [\\d:]{8} \\d{4}$`)

/**
 * Reads the three forms of a date in RFC 9110, section 5.6.7. The oldest form (asctime) names no zone and means GMT.
 */
function httpDate(text: string): number | null {
  if (!dated.test(text) && !asctime.test(text)) return null
  const moment = Date.parse(asctime.test(text) ? `${text} GMT` : text)
  return Number.isNaN(moment) ? null : moment
}

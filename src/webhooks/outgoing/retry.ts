/** When a failed delivery is tried again, or that it is not. Pure: the moments come from outside. */
export interface FailedAttempt {
  /** Seconds from each failed attempt to the next. */
  schedule: readonly number[]
  /** Made so far, the failed one included. */
  attempts: number
  now: Date
  /** The header as it came. */
  retryAfter: string | null
  /** The receiver answered 410. */
  gone: boolean
}

export type NextAttempt = { at: Date } | { dead: 'gone' | 'exhausted' }

/** A receiver may put the next attempt off this long and no longer. */
const longestPutOffSeconds = 60 * 60

/** Never earlier than the schedule says; later where the receiver asks for it. */
export function nextAttempt({ schedule, attempts, now, retryAfter, gone }: FailedAttempt): NextAttempt {
  if (gone) return { dead: 'gone' }
  const scheduled = schedule[attempts - 1]
  if (scheduled === undefined) return { dead: 'exhausted' }
  const asked = Math.min(secondsToWait(retryAfter, now), longestPutOffSeconds)
  return { at: new Date(now.getTime() + Math.max(scheduled, asked) * 1000) }
}

/** Retry-After in either form (RFC 9110, section 10.2.3); 0 for the past and for what is neither. */
function secondsToWait(retryAfter: string | null, now: Date): number {
  const text = retryAfter?.trim() ?? ''
  if (/^\d+$/.test(text)) return Number(text)
  const moment = httpDate(text)
  return moment === null ? 0 : Math.max(0, (moment - now.getTime()) / 1000)
}

const day = '(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?'
const dated = new RegExp(`^${day},? [\\w: -]+ GMT$`)
const asctime = new RegExp(`^${day} [A-Z][a-z]{2} [ \\d]\\d [\\d:]{8} \\d{4}$`)

/** The three forms of RFC 9110, section 5.6.7; the oldest names no zone and means GMT. */
function httpDate(text: string): number | null {
  if (!dated.test(text) && !asctime.test(text)) return null
  const moment = Date.parse(asctime.test(text) ? `${text} GMT` : text)
  return Number.isNaN(moment) ? null : moment
}

/** Formats times as people say them: relative within a week (`3 hours ago`), otherwise as a day. */
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const relativeDays = 7

const dateFormat = remembered(
  (language: string, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options),
)
const relativeFormat = remembered(
  (language: string, options: Intl.RelativeTimeFormatOptions) =>
    new Intl.RelativeTimeFormat(language, options),
)

/** @param language a language tag, as `Intl` takes it */
export function relativeTime(moment: Date, now: Date, language: string): string {
  const distance = moment.getTime() - now.getTime()
  const size = Math.abs(distance)
  if (size >= relativeDays * dayMs) return dayOf(moment, now, language)
  const relative = relativeFormat(language, { numeric: 'auto', style: 'short' })
  if (size < minuteMs) return relative.format(0, 'second')
  if (size < hourMs) return relative.format(Math.trunc(distance / minuteMs), 'minute')
  if (size < dayMs) return relative.format(Math.trunc(distance / hourMs), 'hour')
  // "Yesterday" is the day before in the calendar, however many hours ago.
  return relative.format((dateOf(moment) - dateOf(now)) / dayMs, 'day')
}

/** @param day such as `2026-01-31`, which is the same day in any zone */
export function relativeDay(day: string, now: Date, language: string): string {
  const moment = new Date(`${day}T00:00:00Z`)
  const today = new Date(dateOf(now))
  const days = Math.round((moment.getTime() - today.getTime()) / dayMs)
  if (Math.abs(days) > 1) return dayOf(moment, today, language, 'UTC')
  const words = relativeFormat(language, { numeric: 'auto' }).format(days, 'day')
  return words.charAt(0).toLocaleUpperCase(language) + words.slice(1)
}

/** @returns the moment with its time zone, because a user may be in another one */
export function absoluteTime(moment: Date, language: string): string {
  return dateFormat(language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(moment)
}

/** @returns the beginning in UTC of the day that has the user's date */
function dateOf(moment: Date): number {
  return Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate())
}

/**
 * @returns the day, without its year if that is the present one
 * @param timeZone the zone in which both moments are meant; absent: that of the user
 */
function dayOf(moment: Date, now: Date, language: string, timeZone?: 'UTC'): string {
  const yearOf = (each: Date) => (timeZone === 'UTC' ? each.getUTCFullYear() : each.getFullYear())
  return dateFormat(language, {
    day: 'numeric',
    month: 'short',
    ...(yearOf(moment) !== yearOf(now) && { year: 'numeric' }),
    ...(timeZone !== undefined && { timeZone }),
  }).format(moment)
}

/**
 * Caches formats by language and options: making one takes far longer than using it, and a table has hundreds of
 * times.
 */
function remembered<O, F>(make: (language: string, options: O) => F): (language: string, options: O) => F {
  const formats = new Map<string, F>()
  return (language, options) => {
    const key = `${language} ${JSON.stringify(options)}`
    const format = formats.get(key) ?? make(language, options)
    formats.set(key, format)
    return format
  }
}

/** @returns the local time in the form that inputs of browsers take: `2026-01-31T09:30` */
export function localTime(moment: Date): string {
  return new Date(moment.getTime() - moment.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16)
}

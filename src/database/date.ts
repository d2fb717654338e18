/**
 * Days and moments as JSON carries them. Both are in the years 1 to 9999 in UTC: PostgreSQL has no year 0, and texts of
 * longer years have another order.
 */

const firstDay = '0001-01-01'
const firstMs = Date.parse(`${firstDay}T00:00:00.000Z`)
const lastMs = Date.parse('9999-12-31T23:59:59.999Z')

/** Whether the text is a day that exists: `2026-01-31`. */
export function isDay(text: string): boolean {
  return isCalendarDay(text) && text >= firstDay
}

/** Whether the text is a moment as rows have it: UTC, with milliseconds. */
export function isTimestamp(text: string): boolean {
  return readMoment(text) === text
}

/** RFC 3339, section 5.6, without leap seconds. */
const dateTime = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

/** @returns the date-time as rows have it, or `null` for other text and for a moment outside of the years */
export function readMoment(text: string): string | null {
  const day = dateTime.exec(text)?.[1]
  if (day === undefined || !isCalendarDay(day)) return null
  const ms = Date.parse(text.toUpperCase())
  return ms >= firstMs && ms <= lastMs ? new Date(ms).toISOString() : null
}

/** Whether the calendar has the day. It accepts the year 0, whose last hours may be in the year 1 in UTC. */
function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const moment = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text)
}

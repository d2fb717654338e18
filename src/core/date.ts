/** Dates and times as JSON carries them. */

/** Whether the text is a day that exists: `2026-01-31`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isTimestamp(`${text}T00:00:00.000Z`)
}

/** Whether the text is a moment as rows have it: UTC, with milliseconds. */
export function isTimestamp(text: string): boolean {
  const moment = new Date(text)
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === text
}

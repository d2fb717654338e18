/** Dates and times as JSON carries them, in the years 1 to 9999: PostgreSQL has no year 0, and later ones sort wrongly as text. */

const firstMs = Date.parse('0001-01-01T00:00:00.000Z')
const lastMs = Date.parse('9999-12-31T23:59:59.999Z')

/** Whether the text is a day that exists: `2026-01-31`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && isTimestamp(`${text}T00:00:00.000Z`)
}

/** Whether the text is a moment as rows have it: UTC, with milliseconds. */
export function isTimestamp(text: string): boolean {
  return toTimestamp(text) === text
}

/** @returns the moment as rows have it, or `null` for text that is none, or one of another year */
export function toTimestamp(text: string): string | null {
  const ms = Date.parse(text)
  return ms >= firstMs && ms <= lastMs ? new Date(ms).toISOString() : null
}

/**
 * Reads and writes days and times as people type them. Days become texts such as `2026-01-31`, times such as
 * `09:30`.
 */

/** @returns the day as the language writes it; any other text as it is */
export function dayText(day: string, language: string): string {
  return isDay(day) ? numeric(language).format(new Date(day)) : day
}

/**
 * Reads a day in the order of the language, or like `2026-01-31`. The year may be left out, or have two digits.
 * @param today the day whose year is meant if none is typed @returns `null` for a text that is not a day
 */
export function dayIn(words: string, language: string, today: string): string | null {
  const figures = words.match(/\d+/g) ?? []
  if (!/^[\d\s./-]+$/.test(words) || figures.length < 2 || figures.length > 3) return null
  const order = figures[0]?.length === 4 ? ['year', 'month', 'day'] : orderOf(language)
  const given = order.filter((part) => figures.length === 3 || part !== 'year')
  const of = (part: string) => figures[given.indexOf(part)] ?? ''
  const day = `${yearOf(of('year'), today)}-${of('month').padStart(2, '0')}-${of('day').padStart(2, '0')}`
  return isDay(day) ? day : null
}

/** Completes a year of two digits, which is meant in the present century. */
function yearOf(figures: string, today: string): string {
  if (figures === '') return today.slice(0, 4)
  return figures.length === 2 ? `${today.slice(0, 2)}${figures}` : figures
}

/** @returns the time of a day; `null` for other text */
export function timeIn(words: string): string | null {
  const [, hours = '', minutes = '00'] = /^(\d{1,2})(?:\s?[:.h]?\s?(\d\d))?$/.exec(words.trim()) ?? []
  return hours === '' || Number(hours) > 23 || Number(minutes) > 59
    ? null
    : `${hours.padStart(2, '0')}:${minutes}`
}

/** Whether the text is a day that exists. */
export function isDay(text: string): boolean {
  const moment = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : Number.NaN)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text)
}

function orderOf(language: string): string[] {
  return numeric(language)
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => type !== 'literal')
}

function numeric(language: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language, {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    timeZone: 'UTC',
  })
}

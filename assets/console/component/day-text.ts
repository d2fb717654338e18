/** Days and times as people type them. Days are texts such as `2026-01-31`, times such as `09:30`. */

/** The day as the language writes it. @param day anything else stays as it is */
export function dayText(day: string, language: string): string {
  return isDay(day) ? numeric(language).format(new Date(day)) : day
}

/**
 * In the order of the language, or as `2026-01-31`. A year may be left out, or have two figures.
 * @param today the year of which is meant without one @returns `null` for what is no day
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

/** Two figures are of the present century. */
function yearOf(figures: string, today: string): string {
  if (figures === '') return today.slice(0, 4)
  return figures.length === 2 ? `${today.slice(0, 2)}${figures}` : figures
}

/** @returns `null` for what is no time of a day */
export function timeIn(words: string): string | null {
  const [, hours = '', minutes = '00'] = /^(\d{1,2})(?:\s?[:.h]?\s?(\d\d))?$/.exec(words.trim()) ?? []
  return hours === '' || Number(hours) > 23 || Number(minutes) > 59
    ? null
    : `${hours.padStart(2, '0')}:${minutes}`
}

/** Whether there is such a day. */
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

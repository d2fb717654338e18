/** Calculates with days, weeks and months of a calendar. Days are texts such as `2026-01-31`. */
import { isDay } from './day-text.ts'

/**
 * @returns the weeks of a month with their days
 * @param month such as `2026-01`
 * @param firstDay 1 for Monday, 7 for Sunday
 */
export function weeksOf(month: string, firstDay: number): string[][] {
  const first = new Date(`${month}-01T00:00:00Z`)
  const before = (first.getUTCDay() + 7 - (firstDay % 7)) % 7
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const weeks = Math.ceil((before + days) / 7)
  return Array.from({ length: weeks }, (_week, week) =>
    Array.from({ length: 7 }, (_day, day) => dayAfter(`${month}-01`, week * 7 + day - before)),
  )
}

export function dayAfter(day: string, days: number): string {
  const moment = new Date(`${day}T00:00:00Z`)
  moment.setUTCDate(moment.getUTCDate() + days)
  return moment.toISOString().slice(0, 10)
}

export function monthAfter(month: string, months: number): string {
  const moment = new Date(`${month}-01T00:00:00Z`)
  moment.setUTCMonth(moment.getUTCMonth() + months)
  return moment.toISOString().slice(0, 7)
}

/**
 * @returns the first day of the week, 1 for Monday, 7 for Sunday; a language stands for the country of most speakers
 */
export function firstDayOf(language: string): number {
  const locale = new Intl.Locale(language).maximize() as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  } // older browsers have one of both, or none
  return locale.getWeekInfo?.().firstDay ?? locale.weekInfo?.firstDay ?? 1
}

/**
 * @returns the same day in another month, or its last day if it is shorter; the day itself if there is no such month
 */
export function dayInMonth(day: string, months: number): string {
  const month = monthAfter(day.slice(0, 7), months)
  if (!isDay(`${month}-01`)) return day
  const last = dayAfter(`${monthAfter(month, 1)}-01`, -1)
  const same = `${month}${day.slice(7)}`
  return same < last ? same : last
}

/**
 * Finds the day to which a key leads in a calendar, by the keys of the date picker in the ARIA Authoring Practices
 * Guide.
 * @param firstDay 1 for Monday, 7 for Sunday
 * @returns `null` for another key, or if there is no such day
 */
export function dayByKey(key: string, isShifted: boolean, day: string, firstDay: number): string | null {
  const place = (new Date(day).getUTCDay() + 7 - (firstDay % 7)) % 7
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
    Home: -place,
    End: 6 - place,
  }
  const step = steps[key]
  if (step !== undefined) return dayOrNull(dayAfter(day, step))
  const months = isShifted ? 12 : 1
  if (key === 'PageUp') return dayInMonth(day, -months)
  return key === 'PageDown' ? dayInMonth(day, months) : null
}

function dayOrNull(day: string): string | null {
  return isDay(day) ? day : null
}

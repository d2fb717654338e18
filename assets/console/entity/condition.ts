/**
 * Whether a row meets the condition of a console hint, which is written like the filters of a list. Days are those in
 * UTC, as in the figures that the service calculates for such a condition.
 */
import type { Values } from '../describe.ts'
import { relativeDay } from './filter.ts'

const dayMs = 86_400_000

export function meets(row: Values, condition: Readonly<Record<string, string>>, now: Date): boolean {
  return Object.entries(condition).every(([parameter, wanted]) => {
    const [, name = '', operator = 'eq'] = /^(\w+)(?:\[(\w+)\])?$/.exec(parameter) ?? []
    return holds(row[name] ?? null, operator, momentOf(wanted, row[name], now))
  })
}

/** @returns a relative word as a day or moment: `today-7` is the day a week ago, or its first moment for a timestamp */
function momentOf(wanted: string, value: unknown, now: Date): string {
  const [word, days] = relativeDay(wanted)
  if (word === undefined) return wanted
  const moment = new Date(now.getTime() + days * dayMs).toISOString()
  if (word === 'now') return moment
  return String(value).length > 10 ? `${moment.slice(0, 10)}T00:00:00.000Z` : moment.slice(0, 10)
}

function holds(value: unknown, operator: string, wanted: string): boolean {
  if (operator === 'isNull') return (value === null) === (wanted === 'true')
  if (operator === 'neq') return String(value) !== wanted
  if (operator === 'in') return wanted.split(',').includes(String(value))
  if (operator === 'eq') return String(value) === wanted
  if (value === null) return false
  const order = typeof value === 'number' ? value - Number(wanted) : compare(String(value), wanted)
  switch (operator) {
    case 'lt':
      return order < 0
    case 'lte':
      return order <= 0
    case 'gt':
      return order > 0
    case 'gte':
      return order >= 0
    default:
      return false
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

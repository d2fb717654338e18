/** Values of columns: which kinds keep them when a column changes, and how they are written in SQL. */
import { isDay, readMoment } from '../date.ts'
import type { Dialect } from '../executor.ts'
import type { ColumnTypes } from '../migration.ts'
import { type Column, type ColumnKind, literal } from '../table.ts'
import type { ColumnValue } from './change.ts'

/** The kinds to which a column can change without changing its values, on both databases. */
const widerKinds: Partial<Record<ColumnKind, readonly ColumnKind[]>> = {
  text: ['key'],
  key: ['text'],
  integer: ['price', 'key', 'text'],
  id: ['key', 'text'],
  date: ['key', 'text'],
  json: ['key', 'text'],
}

export function keepsValues(before: ColumnKind, after: ColumnKind): boolean {
  return before === after || widerKinds[before]?.includes(after) === true
}

/** @param column as SQL @returns its value converted from one kind to the other */
export function converted(column: string, before: ColumnKind, after: ColumnKind, types: ColumnTypes): string {
  const type = types[after].replace(' COLLATE "C"', '')
  return before === after || types[before] === types[after] ? column : `CAST(${column} AS ${type})`
}

export function valueAsSql(value: ColumnValue, dialect: Dialect): string {
  if (typeof value === 'boolean' && dialect === 'sqlite') return value ? '1' : '0'
  return typeof value === 'string' ? literal(value) : String(value)
}

const forms: Partial<Record<ColumnKind, { pattern: RegExp; example: string }>> = {
  integer: { pattern: /^-?\d{1,15}$/, example: 'a whole number' },
  price: { pattern: /^-?\d{1,11}(?:\.\d{1,4})?$/, example: 'an amount like 19.99' },
  boolean: { pattern: /^(?:true|false)$/, example: 'true or false' },
  date: { pattern: /^\d{4}-\d\d-\d\d$/, example: 'a date like 2026-01-31' },
  timestamp: {
    pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/,
    example: 'a moment like 2026-01-31T12:00:00.000Z',
  },
  id: { pattern: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/, example: 'a UUID in lower case' },
}

/** @returns the value, or what is expected instead if the column cannot have it */
export function parseValue(text: string, column: Column): ColumnValue | { expected: string } {
  const { kind, values } = column
  const expected = forms[kind]?.example ?? ''
  if (forms[kind]?.pattern.test(text) === false) return { expected }
  if (values?.includes(text) === false) return { expected: `one of ${values.join(', ')}` }
  switch (kind) {
    case 'boolean':
      return text === 'true'
    case 'date':
      return isDay(text) ? text : { expected }
    case 'timestamp':
      return readMoment(text) ?? { expected }
    case 'json':
      return isJson(text) ? text : { expected: 'JSON' }
    case 'integer':
    case 'price':
      return numberWithin(Number(text), column)
    default:
      return text
  }
}

function numberWithin(number: number, { min, max }: Column): number | { expected: string } {
  if (number < (min ?? number)) return { expected: `at least ${min}` }
  return number > (max ?? number) ? { expected: `at most ${max}` } : number
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Writes a value as one line of plain text, such as for the former value of a field, or to copy it. */

import { bytesText } from '../component/bytes.ts'
import { type FieldDescription, wordOf } from '../describe.ts'
import { language, text } from '../text/text.ts'

const maxLetters = 60
const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 4 })
const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })

function amountText({ widget }: FieldDescription, value: unknown): string {
  const amount = { minimumFractionDigits: 2, maximumFractionDigits: 4 }
  const { currency } = widget ?? {}
  const style = currency === undefined ? amount : { ...amount, style: 'currency' as const, currency }
  return new Intl.NumberFormat(language, style).format(Number(value))
}

const spans = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** @returns the duration in its two largest units @param seconds a whole number */
function durationText(seconds: number): string {
  let rest = Math.abs(seconds)
  const parts = spans.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [unitText(count, unit)]
  })
  return `${seconds < 0 ? '−' : ''}${parts.slice(0, 2).join(' ') || unitText(0, 'minute')}`
}

function unitText(count: number, unit: string): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 4 }).format(count)
}

/** @returns the number as the widget of the field says: a percentage, a duration in seconds, an amount */
export function numberText(field: FieldDescription, value: unknown): string {
  const number = Number(value)
  switch (field.widget?.kind) {
    case 'percent':
      return unitText(number, 'percent')
    case 'bytes':
      return bytesText(number)
    case 'duration':
      return durationText(number)
    default:
      return field.kind === 'money' ? amountText(field, value) : numbers.format(number)
  }
}

/** The text in place of a secret, whatever its length. */
export const covered = '••••••••'

/** @returns the value as people read it. The title of another row is not known here, and is `…`. */
export function plainText(field: FieldDescription, value: unknown): string {
  if (value === null || value === undefined || value === '') return text.form.empty
  switch (field.kind) {
    case 'boolean':
      return value === true ? text.state.yes : text.state.no
    case 'money':
    case 'integer':
    case 'sequence':
      return typeof value === 'number' ? numberText(field, value) : String(value)
    case 'date':
      return days.format(new Date(String(value)))
    case 'timestamp':
      return moments.format(new Date(String(value)))
    case 'enum':
      return wordOf(field, value)
    case 'many':
      return Array.isArray(value) ? text.form.lineCount(value.length) : ''
    case 'reference':
      return '…'
    case 'json':
      return shortened(typeof value === 'string' ? value : JSON.stringify(value))
    default:
      return field.widget?.kind === 'secret' ? covered : shortened(String(value))
  }
}

function shortened(words: string): string {
  return words.length > maxLetters ? `${words.slice(0, maxLetters)}…` : words
}

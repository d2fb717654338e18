/** A value in one line of plain text: what was there before, what is copied. */
import { type FieldDescription, wordOf } from '../describe.ts'
import { language, text } from '../text/text.ts'

const maxLetters = 60
const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 4 })
const moments = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' })
const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })

export function amountText({ widget }: FieldDescription, value: unknown): string {
  const amount = { minimumFractionDigits: 2, maximumFractionDigits: 4 }
  const { currency } = widget ?? {}
  const style = currency === undefined ? amount : { ...amount, style: 'currency' as const, currency }
  return new Intl.NumberFormat(language, style).format(Number(value))
}

/** What people read, without a name of another row: those are `…`. */
export function plainText(field: FieldDescription, value: unknown): string {
  if (value === null || value === undefined || value === '') return text.form.empty
  switch (field.kind) {
    case 'boolean':
      return value === true ? text.state.yes : text.state.no
    case 'money':
      return typeof value === 'number' ? amountText(field, value) : String(value)
    case 'integer':
    case 'sequence':
      return typeof value === 'number' ? numbers.format(value) : String(value)
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
      return shortened(String(value))
  }
}

function shortened(words: string): string {
  return words.length > maxLetters ? `${words.slice(0, maxLetters)}…` : words
}

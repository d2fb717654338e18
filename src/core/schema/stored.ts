/** Schemas of values as columns store them, where these differ from the values that callers send. */
import { type TSchema, Type } from 'typebox'
import { isTimestamp } from '../../database/date.ts'
import { inputReader } from './input.ts'

/** A count: a whole number that is not negative. */
export const Count = Type.Integer({ minimum: 0 })

/** An id in lower case, because SQLite compares ids as text. */
export const StoredId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  'x-reason': 'must be a UUID in lower case',
})

export const StoredMoment = Type.Refine(
  Type.String({ maxLength: 24 }),
  isTimestamp,
  () => 'must be a moment in UTC',
)

/** A digest in hexadecimal digits. */
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** Text without control characters, such as those that move the cursor of a terminal. */
export function PlainLine(maxLength: number) {
  return Type.String({ maxLength, pattern: '^[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]*$' })
}

/** JSON as text. @param schema of the value; any value if absent @param parse throws for text that is refused */
export function JsonText(schema: TSchema = Type.Unknown(), parse: (text: string) => unknown = JSON.parse) {
  const read = inputReader(schema)
  return Type.Refine(
    Type.String(),
    (text) => isReadable(text, (json) => read(parse(json))),
    () => 'must be JSON that matches its schema',
  )
}

function isReadable(text: string, read: (text: string) => unknown): boolean {
  try {
    read(text)
    return true
  } catch {
    return false // the caller says what is wrong
  }
}

/** Schemas of values as columns have them, where these differ from what callers give. */
import { type TSchema, Type } from 'typebox'
import { inputReader } from './input.ts'

/** A number of things. */
export const Count = Type.Integer({ minimum: 0 })

/** Of a digest. */
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** Text without control characters, such as those that move the cursor of a terminal. */
export function PlainLine(maxLength: number) {
  return Type.String({ maxLength, pattern: '^[^\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]*$' })
}

/** JSON as text. @param schema of the value; any value if absent */
export function JsonText(schema: TSchema = Type.Unknown()) {
  const read = inputReader(schema)
  return Type.Refine(
    Type.String(),
    (text) => isReadable(text, read),
    () => 'must be JSON that matches its schema',
  )
}

function isReadable(text: string, read: (value: unknown) => unknown): boolean {
  try {
    read(JSON.parse(text))
    return true
  } catch {
    return false // the caller says what is wrong
  }
}

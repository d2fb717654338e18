/** Objects whose names the caller chooses. */
import { type TRecord, type TSchema, type TSchemaOptions, Type } from 'typebox'

/** The bounds of the length of a name, in characters. */
interface NameLength {
  min?: number
  max: number
}

/**
 * Each name has the length, and each value is one of the schema. A record of the library checks neither the length of a
 * name nor the value of one with a line break, which its pattern does not match.
 */
export function Named<V extends TSchema>(
  value: V,
  { min = 0, max }: NameLength,
  options: TSchemaOptions,
): TRecord<'^.*$', V> {
  const propertyNames = { type: 'string', minLength: min, maxLength: max }
  const named = Type.Record(Type.String({ pattern: '^[\\s\\S]*$' }), value, { propertyNames, ...options })
  return named as unknown as TRecord<'^.*$', V> // every name matches both
}

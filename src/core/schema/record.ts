/** Objects whose names the caller chooses. */
import { type TRecord, type TSchema, type TSchemaOptions, Type } from 'typebox'

/** The bounds of the length of a name, in characters. */
interface NameLength {
  min?: number
  max: number
}

/**
 * Makes the schema of an object whose names have this length, and whose values match a schema. Plain `Type.Record`
 * checks neither the length of a name, nor the value of a name with a line break, because its pattern does not match
 * that name.
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

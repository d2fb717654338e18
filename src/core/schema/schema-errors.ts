/**
 * Finds the faults of a value in a time that does not depend on its size. The validating library may take long for a
 * large value (its check for duplicates takes quadratic time), so that the value is cut down first.
 */
import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'

export interface SchemaError {
  keyword: string
  /** The keyword's location in the schema, `#/properties/name`. */
  schemaPath: string
  /** The JSON pointer to the value. */
  instancePath: string
  message: string
  params: object
}

/** Up to this number of values, each fault is reported; above it, one sentence covers all. */
const maxReportedValues = 5000
const maxPointerLength = 200

/** @returns a function for values that the validator has refused; it returns at least one error, and few in total */
export function errorFinder(validator: Validator): (value: unknown) => SchemaError[] {
  const cut = cutterOf(validator.Type() as TSchema & Keywords) // a JSON Schema
  return (value) => {
    const short = cut(value)
    const errors = valuesLeft(short, maxReportedValues) < 0 ? [] : validator.Errors(short)
    return errors.length === 0
      ? [generalError]
      : errors.map((error) => ({ ...error, instancePath: clipPointer(error.instancePath) }))
  }
}

const generalError: SchemaError = {
  keyword: '',
  schemaPath: '#',
  instancePath: '',
  message: 'is too large, or does not match its schema',
  params: {},
}

interface Keywords {
  type?: string | readonly string[]
  maxLength?: number
  maxItems?: number
  maxProperties?: number
  items?: Keywords
  properties?: Readonly<Record<string, Keywords>>
  patternProperties?: Readonly<Record<string, Keywords>>
  additionalProperties?: unknown
}

type Cut = (value: unknown) => unknown

/**
 * Cuts a value that exceeds a bound to one more than the bound, which is still invalid. A list or an object in place of
 * another type becomes empty.
 */
function cutterOf(schema: Keywords): Cut {
  const { type, maxLength = Infinity, maxItems = Infinity, items } = schema
  const takes = (name: string) => type === undefined || [type].flat().includes(name)
  const [takesList, takesObject] = [takes('array'), takes('object')]
  const cutItem = items === undefined ? keep : cutterOf(items)
  const cutObject = objectCutter(schema)
  return (value) => {
    // Lengths count code points, each of one or two UTF-16 units.
    if (typeof value === 'string') return value.slice(0, 2 * maxLength + 1)
    if (Array.isArray(value)) return takesList ? value.slice(0, maxItems + 1).map(cutItem) : []
    if (typeof value !== 'object' || value === null) return value
    return takesObject ? cutObject(value) : {}
  }
}

function objectCutter({ properties, patternProperties, maxProperties = Infinity, ...rest }: Keywords) {
  const named = new Map(Object.entries(properties ?? {}).map(([name, schema]) => [name, cutterOf(schema)]))
  const [others] = Object.values(patternProperties ?? {})
  const cutOther = others === undefined ? keep : cutterOf(others)
  // A schema without `additionalProperties` does not validate members that it does not name.
  const isNamesOnly = properties !== undefined && rest.additionalProperties === undefined
  return (value: object): object => {
    const members = Object.entries(value)
    const checked = isNamesOnly
      ? members.filter(([name]) => named.has(name))
      : members.slice(0, maxProperties + 1)
    return Object.fromEntries(checked.map(([name, member]) => [name, (named.get(name) ?? cutOther)(member)]))
  }
}

const keep: Cut = (value) => value

/** @returns the number of further values that are allowed; negative as soon as there are too many */
function valuesLeft(value: unknown, max: number): number {
  if (typeof value !== 'object' || value === null) return max - 1
  let left = max - 1
  for (const member of Object.values(value)) {
    if (left < 0) break
    left = valuesLeft(member, left)
  }
  return left
}

/** `/items/0/price` becomes `items.0.price`. */
export function fieldName(pointer: string): string {
  return pointer === '' ? 'body' : pointer.slice(1).replaceAll('/', '.')
}

/** @returns the name for a JSON pointer (RFC 6901, section 3) */
export function escapedName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Shortens a JSON pointer, because it contains names that the caller has chosen. */
export function clipPointer(pointer: string): string {
  if (pointer.length <= maxPointerLength) return pointer
  return `${pointer.slice(0, maxPointerLength).toWellFormed()}…`
}

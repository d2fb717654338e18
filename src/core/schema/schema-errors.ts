/**
 * What a schema says against a value, in a time that the schema bounds and the value does not: the library tells
 * duplicates in a time that grows with their square.
 */
import type { TSchema } from 'typebox'
import type { Validator } from 'typebox/compile'

export interface SchemaError {
  keyword: string
  /** `#/properties/name`: where in the schema. */
  schemaPath: string
  /** A JSON pointer. */
  instancePath: string
  message: string
  params: object
}

/** Values that the library judges one by one. The faults of more are told in one sentence. */
const maxJudgedValues = 5000
const maxPointerLength = 200

/** @returns a function for values that the validator has refused: at least one error, and no more than a few */
export function errorFinder(validator: Validator): (value: unknown) => SchemaError[] {
  const cut = cutterOf(validator.Type() as TSchema & Keywords) // a JSON Schema
  return (value) => {
    const short = cut(value)
    const errors = valuesLeft(short, maxJudgedValues) < 0 ? [] : validator.Errors(short)
    return errors.length === 0
      ? [generalError]
      : errors.map((error) => ({ ...error, instancePath: clipPointer(error.instancePath) }))
  }
}

const generalError: SchemaError = {
  keyword: '',
  schemaPath: '#',
  instancePath: '',
  message: 'is too large, or not as its schema says',
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
 * What is longer than a bound allows is cut to one more than that, which is as wrong. Of a list or an object where
 * another type has to be, nothing is left but the type.
 */
function cutterOf(schema: Keywords): Cut {
  const { type, maxLength = Infinity, maxItems = Infinity, items } = schema
  const takes = (name: string) => type === undefined || [type].flat().includes(name)
  const [takesList, takesObject] = [takes('array'), takes('object')]
  const cutItem = items === undefined ? keep : cutterOf(items)
  const cutObject = objectCutter(schema)
  return (value) => {
    // Lengths are counted in code points, of which each has one or two units.
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
  // Of members that it does not name, such a schema says nothing.
  const isNamesOnly = properties !== undefined && rest.additionalProperties === undefined
  return (value: object): object => {
    const members = Object.entries(value)
    const judged = isNamesOnly
      ? members.filter(([name]) => named.has(name))
      : members.slice(0, maxProperties + 1)
    return Object.fromEntries(judged.map(([name, member]) => [name, (named.get(name) ?? cutOther)(member)]))
  }
}

const keep: Cut = (value) => value

/** @returns how many more values there may be; less than 0 as soon as that is known */
function valuesLeft(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return most - 1
  let left = most - 1
  for (const member of Object.values(value)) {
    if (left < 0) break
    left = valuesLeft(member, left)
  }
  return left
}

/** `/items/0/price` is told as `items.0.price`. */
export function fieldName(pointer: string): string {
  return pointer === '' ? 'body' : pointer.slice(1).replaceAll('/', '.')
}

/** A pointer is made of names that the caller chose. */
export function clipPointer(pointer: string): string {
  if (pointer.length <= maxPointerLength) return pointer
  return `${pointer.slice(0, maxPointerLength).toWellFormed()}…`
}

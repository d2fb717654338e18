import type { EntityDescription, FieldDescription, Values } from '../describe.ts'

/** The value of a row as callers give it: the rows of a `many` are without what the service sets. */
export function givenValue({ kind, fields = [] }: FieldDescription, value: unknown): unknown {
  if (kind !== 'many' || !Array.isArray(value)) return value
  const names = new Set(fields.filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name))
  return value.map((item: unknown) => (isObject(item) ? without(item, names) : item))
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member may be called as one that every object inherits, such as `constructor`. */
export function ownValue(values: Values, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

function without(item: object, names: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.has(name)))
}

/** The values that a new row begins with. */
export function defaultsOf({ fields }: EntityDescription): Values {
  const given = fields.filter((field) => !field.isReadOnly && (field.defaultValue ?? null) !== null)
  return Object.fromEntries(given.map((field) => [field.name, field.defaultValue]))
}

/** A box and a word have a value, whether somebody has chosen it or not, and so has what has a default. */
export function mayBeEmpty({ isRequired, isNullable, kind, defaultValue }: FieldDescription): boolean {
  if (isRequired || kind === 'boolean') return false
  return isNullable || (kind !== 'enum' && (defaultValue ?? null) === null)
}

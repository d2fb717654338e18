import type { EntityDescription, FieldDescription, Values } from '../describe.ts'

/**
 * @returns the value as callers send it. The rows in a field of the kind `many` are without the members that the
 *   service sets.
 */
export function givenValue({ kind, fields = [] }: FieldDescription, value: unknown): unknown {
  if (kind !== 'many' || !Array.isArray(value)) return value
  const names = new Set(fields.filter(({ isReadOnly }) => isReadOnly).map(({ name }) => name))
  return value.map((item: unknown) => (isObject(item) ? without(item, names) : item))
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @returns the own member of the object. A member may have an inherited name, such as `constructor`. */
export function ownValue(values: Values, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

function without(item: object, names: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.has(name)))
}

/** @returns the values with which a new row begins */
export function defaultsOf({ fields }: EntityDescription): Values {
  const given = fields.filter((field) => !field.isReadOnly && (field.defaultValue ?? null) !== null)
  return Object.fromEntries(given.map((field) => [field.name, field.defaultValue]))
}

/**
 * Whether the input may be left empty. A checkbox and a choice always have a value, and so does a field with a
 * default.
 */
export function mayBeEmpty({ isRequired, isNullable, kind, defaultValue }: FieldDescription): boolean {
  if (isRequired || kind === 'boolean') return false
  return isNullable || (kind !== 'enum' && (defaultValue ?? null) === null)
}

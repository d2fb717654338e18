/** A JSON value whose schema says what it has is a form; anything else is text. */
import type { FieldDescription, JsonSchema, Values } from '../describe.ts'
import { fieldsOfSchema } from '../schema-fields.ts'
import { isObject, ownValue } from './given-value.ts'

/** More of them are read better as text. */
const maxMembers = 12

/** @returns `null` for a field with the widget of text, for what is no such object, and for a value that its schema does not describe */
export function jsonMembers(
  { kind, schema, widget }: FieldDescription,
  value: unknown,
): FieldDescription[] | null {
  const members = kind === 'json' && widget === undefined && !isOpen(schema) ? fieldsOfSchema(schema) : []
  const names = members.map(({ name }) => name)
  const isDescribed = isObject(value)
    ? Object.keys(value).every((name) => names.includes(name))
    : value === null || value === undefined
  if (!isDescribed || members.length === 0 || members.length > maxMembers || !members.every(hasWords))
    return null
  // What may be absent can be emptied.
  return members.map((member) => ({ ...member, isNullable: member.isNullable || !member.isRequired }))
}

/** Whether an object may have members that nobody has named. */
function isOpen({ additionalProperties = false, patternProperties }: JsonSchema): boolean {
  return additionalProperties !== false || patternProperties !== undefined
}

/** A choice has texts: it would make a text of a number. */
function hasWords({ schema }: FieldDescription): boolean {
  return (schema.enum ?? []).every((word) => word === null || typeof word === 'string')
}

/**
 * What the form has, as the service takes it: a member that was emptied is absent, and nothing at all is no value.
 *
 * @param was what the form had before the change; what is unchanged stays as it is
 */
export function jsonValue(
  { isNullable }: FieldDescription,
  members: readonly FieldDescription[],
  was: Values,
  values: Values,
): Values | null {
  const isEmpty = (name: string) => {
    const value = ownValue(values, name)
    return value === undefined || ((value ?? '') === '' && value !== ownValue(was, name))
  }
  if (isNullable && members.every(({ name }) => isEmpty(name))) return null
  const given = members
    .filter(({ name, isRequired }) => isRequired || !isEmpty(name))
    .map(({ name, kind }) => {
      const value = ownValue(values, name)
      // A box that nobody has ticked is a no.
      return [name, value === undefined && kind === 'boolean' ? false : value]
    })
  const others = Object.entries(values).filter(([name]) => members.every((member) => member.name !== name))
  return Object.fromEntries([...given, ...others])
}

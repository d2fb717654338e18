/** A JSON value whose schema says what it has is a form; anything else is text. */
import type { FieldDescription, Values } from '../describe.ts'
import { fieldsOfSchema } from '../schema-fields.ts'
import { isObject } from './given-value.ts'

/** More of them are read better as text. */
const maxMembers = 12

/** @returns `null` for a field with the widget of text, for what is no such object, and for a value that its schema does not describe */
export function jsonMembers(
  { kind, schema, widget }: FieldDescription,
  value: unknown,
): FieldDescription[] | null {
  const members = kind === 'json' && widget === undefined ? fieldsOfSchema(schema) : []
  const names = members.map(({ name }) => name)
  const isDescribed = isObject(value)
    ? Object.keys(value).every((name) => names.includes(name))
    : value === null || value === undefined
  return isDescribed && members.length > 0 && members.length <= maxMembers ? members : null
}

/** What the form has, as the service takes it: what is left empty is absent, and nothing at all is no value. */
export function jsonValue(
  { isNullable }: FieldDescription,
  members: readonly FieldDescription[],
  values: Values,
): Values | null {
  const isEmpty = ({ name }: FieldDescription) => (values[name] ?? '') === ''
  if (isNullable && members.every(isEmpty)) return null
  const given = members.filter((member) => member.isRequired || !isEmpty(member))
  // A box that nobody has ticked is a no.
  return Object.fromEntries(
    given.map((member) => {
      const value = values[member.name]
      return [member.name, value === undefined && member.kind === 'boolean' ? false : value]
    }),
  )
}

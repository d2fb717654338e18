/**
 * Decides whether a JSON value gets a form. This is so if its schema describes its members; otherwise it is shown as
 * text.
 */
import type { FieldDescription, JsonSchema, Values } from '../describe.ts'
import { fieldsOfSchema } from '../schema-fields.ts'
import { isObject, ownValue } from './given-value.ts'

/** A value with more members is easier to read as text. */
const maxMembers = 12

/**
 * @returns the members as fields of a form; `null` for a field with the widget of text, for a schema that is not
 *   such an object, and for a value that its schema does not allow
 */
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
  // A member that may be absent can be emptied.
  return members.map((member) => ({ ...member, isNullable: member.isNullable || !member.isRequired }))
}

/** Whether an object may have members that its schema does not name. */
function isOpen({ additionalProperties = false, patternProperties }: JsonSchema): boolean {
  return additionalProperties !== false || patternProperties !== undefined
}

/** Whether all words of the choice are texts. The input of a choice would turn a number into a text. */
function hasWords({ schema }: FieldDescription): boolean {
  return (schema.enum ?? []).every((word) => word === null || typeof word === 'string')
}

/**
 * @returns the value of the form for the service: an emptied member is absent, and an object without members is
 *   `null`
 * @param was the value of the form before the change, whose unchanged members stay as they are
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
      // A checkbox that nobody has ticked means `false`.
      return [name, value === undefined && kind === 'boolean' ? false : value]
    })
  const others = Object.entries(values).filter(([name]) => members.every((member) => member.name !== name))
  return Object.fromEntries([...given, ...others])
}

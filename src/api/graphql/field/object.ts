/** Renders objects that verbs return, with the members that the document selects. */
import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import type { Picked } from '../document/plan.ts'
import { jsonObjectOf } from '../json-writer.ts'

/** @throws Error for a value that its type does not allow: the verb does not return what it declares */
export function objectJson(value: object, picked: readonly Picked[], type: GraphQLObjectType): string {
  const members = value as Readonly<Record<string, unknown>> // its members are read by their names
  const fields = type.getFields()
  return jsonObjectOf(picked, ({ name, inner }) => {
    const field = fields[name]
    return field === undefined
      ? JSON.stringify(type.name) // the only name besides: __typename
      : memberJson(members[name] ?? null, inner, { type: field.type, path: `${type.name}.${name}` })
  })
}

function memberJson(
  value: unknown,
  picked: readonly Picked[],
  { type, path }: { type: GraphQLOutputType; path: string },
): string {
  if (isNonNullType(type)) {
    if (value === null) throw new Error(`${path} is null, which its schema does not allow.`)
    return memberJson(value, picked, { type: type.ofType, path })
  }
  if (value === null || value === undefined) return 'null'
  if (isListType(type)) {
    if (!Array.isArray(value)) throw new Error(`${path} is no list, as its schema says.`)
    return `[${value.map((item) => memberJson(item ?? null, picked, { type: type.ofType, path })).join()}]`
  }
  if (!isObjectType(type)) return JSON.stringify(value)
  if (typeof value !== 'object') throw new Error(`${path} is no object, as its schema says.`)
  return objectJson(value, picked, type)
}

/** The keywords of a member's JSON Schema from which its type in GraphQL follows. */

export interface MemberSchema {
  /** Whether the member has any JSON value. GraphQL has the scalar `JSON` for it. */
  'x-json'?: boolean
  $id?: string
  type?: string | readonly string[]
  format?: string
  enum?: readonly (string | null)[]
  anyOf?: readonly MemberSchema[]
  items?: MemberSchema
  properties?: Record<string, MemberSchema>
  required?: readonly string[]
  description?: string
}

export interface ObjectSchema extends MemberSchema {
  properties: Record<string, MemberSchema>
}

export function isNullable(shape: MemberSchema): boolean {
  return shape['x-json'] === true || allTypesOf(shape).includes('null')
}

/** A choice between one schema and `null` becomes that schema. */
export function withoutNull(shape: MemberSchema): MemberSchema {
  const { anyOf = [], 'x-json': isJson = false } = shape
  const [only, ...others] = anyOf.filter((choice) => choice.type !== 'null')
  return only === undefined || others.length > 0 || isJson ? shape : only
}

/** The types of the values, without `null`. */
export function typesOf(shape: MemberSchema): string[] {
  return [...new Set(allTypesOf(shape))].filter((type) => type !== 'null')
}

function allTypesOf({ type = [], anyOf = [] }: MemberSchema): string[] {
  return [...[type].flat(), ...anyOf.flatMap(allTypesOf)]
}

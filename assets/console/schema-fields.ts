/** Makes the fields of a form from a JSON Schema, for objects that are not rows of an entity. */
import type { FieldDescription, JsonSchema } from './describe.ts'

export function fieldsOfSchema({ properties = {}, required = [] }: JsonSchema): FieldDescription[] {
  return Object.entries(properties).map(([name, schema]) => ({
    ...fieldOfSchema(name, schema),
    isRequired: required.includes(name),
  }))
}

export function fieldOfSchema(name: string, given: JsonSchema): FieldDescription {
  // A union of literals is an enum as well.
  const words = given.anyOf?.map((each) => each.const)
  const schema = words?.every((word) => typeof word === 'string') === true ? { ...given, enum: words } : given
  return {
    name,
    kind: kindOf(schema),
    description: schema.description ?? null,
    isNullable: Array.isArray(schema.type) && schema.type.includes('null'),
    isRequired: false,
    isReadOnly: false,
    relation: null,
    entity: null,
    fileTypes: [],
    schema,
    fields: [],
  }
}

function kindOf({ type, enum: values }: JsonSchema): FieldDescription['kind'] {
  if (values !== undefined) return 'enum'
  const [first] = [type].flat().filter((each) => each !== 'null')
  switch (first) {
    case 'integer':
      return 'integer'
    case 'number':
      return 'money'
    case 'boolean':
      return 'boolean'
    case 'string':
      return 'text'
    default:
      return 'json'
  }
}

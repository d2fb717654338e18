/** Serialises a reply by its schema. Members that the schema does not name are omitted. */
import fastJson from 'fast-json-stringify'

type Serializer = (value: unknown) => string

/** Shared by all servers of the process, whose routes share schemas. */
const compiled = new WeakMap<object, Serializer>()

/** Compiles the schema at the first reply: all schemas together would take a third of the start. */
export function lazySerializer({ schema }: { schema: unknown }): Serializer {
  let serialize: Serializer | null = null
  return (value) => {
    serialize ??= serializerOf(schema as object) // a schema that a route declares
    return serialize(value)
  }
}

function serializerOf(schema: object): Serializer {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const serializer = fastJson(schema)
  compiled.set(schema, serializer)
  return serializer
}

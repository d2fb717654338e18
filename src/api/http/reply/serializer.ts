/** Turns a reply into JSON by its schema: what the schema does not name is left out. */
import fastJson from 'fast-json-stringify'

type Serializer = (value: unknown) => string

/** Of all servers of the process: routes share schemas. */
const compiled = new WeakMap<object, Serializer>()

/** Compiles at the first reply: all schemas together take a third of the time to start. */
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

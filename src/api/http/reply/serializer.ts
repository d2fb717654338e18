/** Serialises a reply by its schema. Members that the schema does not name are omitted. */
import Fastify from 'fastify'

type Serializer = (value: unknown) => string

/** Listens nowhere. A Fastify without a compiler of its own has one when it is ready, if a route has a schema. */
const plain = Fastify()
plain.get('/', { schema: { response: { 200: {} } } }, async () => null)

/** Shared by all servers of the process, whose routes share schemas. */
const compiled = new WeakMap<object, Serializer>()

/** To be called before a server is ready. */
export async function prepareSerializers(): Promise<void> {
  await plain.ready()
}

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
  if (plain.serializerCompiler === undefined) throw new Error('No serializer is prepared.')
  const serializer = plain.serializerCompiler({ schema: withAnyJson(schema), method: '', url: '' })
  compiled.set(schema, serializer)
  return serializer
}

/** The serializer does not know every schema that values of JSON may have, and they were validated when they were stored. */
function withAnyJson(schema: object): object {
  const text = JSON.stringify(schema)
  if (!text.includes('"x-json":true')) return schema
  return JSON.parse(text, (_, part) => (part?.['x-json'] === true ? {} : part))
}

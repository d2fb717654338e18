/** Serialises a reply by its schema. Members that the schema does not name are omitted. */
import Fastify from 'fastify'

type Serializer = (value: unknown) => string

/** Never listens: it has the compiler that Fastify makes when a server with the schema of a reply becomes ready. */
const compilerOwner = Fastify()
compilerOwner.get('/', { schema: { response: { 200: {} } } }, async () => null)

/** The serializers by schema. All servers of the process share them, because their routes share schemas. */
const compiled = new WeakMap<object, Serializer>()

/** To be called before a server is ready. */
export async function prepareSerializers(): Promise<void> {
  await compilerOwner.ready()
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
  if (compilerOwner.serializerCompiler === undefined) throw new Error('No serializer is prepared.')
  const serializer = compilerOwner.serializerCompiler({ schema: withAnyJson(schema), method: '', url: '' })
  compiled.set(schema, serializer)
  return serializer
}

/** The serializer does not know every schema that values of JSON may have, and they were validated when they were stored. */
function withAnyJson(schema: object): object {
  const text = JSON.stringify(schema)
  if (!text.includes('"x-json":true')) return schema
  return JSON.parse(text, (_, part) => (part?.['x-json'] === true ? {} : part))
}

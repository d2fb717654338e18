import { isObject } from '../../core/is-object.ts'

/** A value that the schema accepts, composed of the examples of its parts. */
export function exampleOf(schema: unknown): unknown {
  if (!isObject(schema)) return null
  if (Array.isArray(schema['examples'])) return schema['examples'][0]
  for (const keyword of ['default', 'const']) if (keyword in schema) return schema[keyword]
  for (const keyword of ['enum', 'anyOf', 'oneOf']) {
    const choices = schema[keyword]
    if (Array.isArray(choices)) return keyword === 'enum' ? choices[0] : exampleOf(choices[0])
  }
  const types = [schema['type']].flat()
  return exampleOfType(types.includes('null') ? 'null' : types[0], schema)
}

function exampleOfType(type: unknown, schema: Record<string, unknown>): unknown {
  switch (type) {
    case 'object': {
      const members = isObject(schema['properties']) ? Object.entries(schema['properties']) : []
      return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member)]))
    }
    case 'array':
      return [exampleOf(schema['items'])]
    case 'string':
      return stringExamples[String(schema['format'])] ?? 'string'
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 1
    default:
      return null
  }
}

const stringExamples: Record<string, string> = {
  uuid: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11',
  'date-time': '2026-01-31T09:30:00.000Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
}

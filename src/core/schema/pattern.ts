/** The regular expressions of a schema, which is compiled at the first input only. */
import type { TSchema } from 'typebox'

export interface MalformedPattern {
  /** To the schema of the text: `/properties/name`. */
  pointer: string
  pattern: string
}

/** @param seen schemas without one, which are not looked at again */
export function malformedPattern(schema: TSchema, seen: Set<object>): MalformedPattern | null {
  return findIn(schema, '', seen)
}

export function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').unicode
  } catch {
    return false
  }
}

// Only members with further schemas are looked at: an application has tens of thousands of schemas.
const single = ['items', 'additionalProperties', 'not'] as const
const several = [
  'properties',
  'anyOf',
  'allOf',
  'oneOf',
  'prefixItems',
  'patternProperties',
  '$defs',
] as const

type Part = Readonly<Record<string, unknown>>

function findIn(schema: unknown, pointer: string, seen: Set<object>): MalformedPattern | null {
  if (typeof schema !== 'object' || schema === null) return null
  const part = schema as Part // of JSON Schema
  const pattern = part['pattern']
  if (typeof pattern === 'string' && !isPattern(pattern)) return { pointer, pattern }
  if (part['type'] === 'string' || seen.has(part)) return null
  seen.add(part)
  let found: MalformedPattern | null = null
  for (const name of single) found ??= findIn(part[name], `${pointer}/${name}`, seen)
  for (const name of several) found ??= findInEach(part[name], `${pointer}/${name}`, seen)
  return found
}

/** @param schemas by name, or in a list */
function findInEach(schemas: unknown, pointer: string, seen: Set<object>): MalformedPattern | null {
  if (typeof schemas !== 'object' || schemas === null) return null
  for (const [name, schema] of Object.entries(schemas)) {
    const found = findIn(schema, `${pointer}/${name}`, seen)
    if (found !== null) return found
  }
  return null
}

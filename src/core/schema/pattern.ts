/**
 * Finds malformed regular expressions in schemas at the start. A schema is compiled only when its first input
 * arrives.
 */

export interface MalformedPattern {
  /** The JSON pointer to the schema of the text: `/properties/name`. */
  pointer: string
  pattern: string
}

/** Patterns that were checked: most schemas of an application repeat the patterns of a few formats. */
const wellFormed = new Set<string>()

export function isPattern(text: string): boolean {
  if (wellFormed.has(text)) return true
  try {
    new RegExp(text, 'u')
    wellFormed.add(text)
    return true
  } catch {
    return false
  }
}

// Keywords that contain further schemas. The search skips all others, because an application has many thousands of
// schemas.
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

/** @param seen the schemas without a malformed pattern, which are not searched again */
export function malformedPattern(schema: unknown, seen: Set<object>): MalformedPattern | null {
  if (typeof schema !== 'object' || schema === null) return null
  const part = schema as Part // of JSON Schema
  const pattern = part['pattern']
  if (typeof pattern === 'string' && !isPattern(pattern)) return { pointer: '', pattern }
  if (part['type'] === 'string' || seen.has(part)) return null
  seen.add(part)
  for (const name of single) {
    const found = malformedPattern(part[name], seen)
    if (found !== null) return below(name, found)
  }
  for (const name of several) {
    const found = findInEach(part[name], seen)
    if (found !== null) return below(name, found)
  }
  return null
}

/** @param schemas a list of schemas, or an object with schemas by name */
function findInEach(schemas: unknown, seen: Set<object>): MalformedPattern | null {
  if (typeof schemas !== 'object' || schemas === null) return null
  for (const [name, schema] of Object.entries(schemas)) {
    const found = malformedPattern(schema, seen)
    if (found !== null) return below(name, found)
  }
  return null
}

function below(name: string, { pointer, pattern }: MalformedPattern): MalformedPattern {
  return { pointer: `/${name}${pointer}`, pattern }
}

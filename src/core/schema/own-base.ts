/** Lets a schema with references to parts of itself (`#/$defs/node`) be embedded in another schema: it gets an id. */
import { hash } from 'node:crypto'
import type { TSchema } from 'typebox'
import { withMembers } from './schema.ts'

const prefix = 'urn:schema:'

/**
 * @returns the schema; with an id, from which references start (JSON Schema 2020-12, section 8.2.1), if it refers to
 *   itself
 */
export function withOwnBase<S extends TSchema>(schema: S): S {
  if ('$id' in schema || !refersToItself(schema)) return schema
  return withMembers(schema, { $id: prefix + hash('sha256', JSON.stringify(schema)).slice(0, 16) })
}

/** Whether a name is an id that `withOwnBase` has made, and not that of a component. */
export function isOwnBase(id: string): boolean {
  return id.startsWith(prefix)
}

function refersToItself(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false
  return Object.entries(part).some(
    ([keyword, value]) =>
      (keyword === '$ref' && typeof value === 'string' && value.startsWith('#')) || refersToItself(value),
  )
}

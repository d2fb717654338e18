/** Schemas for the document: named schemas by reference, without internal keywords. */

import type { TSchema } from 'typebox'
import { ApplicationError } from '../../core/feature/application-error.ts'
import { isObject } from '../../core/is-object.ts'
import { isOwnBase } from '../../core/schema/own-base.ts'
import { exampleOf } from './example.ts'

export type JsonObject = Record<string, unknown>

export class SchemaComponents {
  readonly #found = new Map<string, JsonObject>()

  /** A named schema becomes a component and a reference, at any depth. */
  describe(schema: TSchema): JsonObject {
    return this.#describeObject({ ...schema })
  }

  /** Sorted by name, so that the order does not depend on the routes. */
  components(): Record<string, JsonObject> {
    return sortedByName(this.#found)
  }

  #describe(schema: unknown): JsonObject | boolean {
    if (typeof schema === 'boolean') return schema
    if (!isObject(schema)) throw new Error('A schema must be an object or a boolean')
    return this.#describeObject(schema)
  }

  #describeObject(schema: JsonObject): JsonObject {
    const { $id: name, ...rest } = schema
    if (typeof name !== 'string') return this.#clean(rest)
    if (isOwnBase(name)) return { $id: name, ...this.#clean(rest) }
    const component: JsonObject = { ...this.#clean(rest), examples: [exampleOf(rest)] }
    const known = this.#found.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new ApplicationError(`Two different schemas have the $id ${name}`)
    }
    this.#found.set(name, component)
    return { $ref: `#/components/schemas/${name}` }
  }

  #clean(schema: JsonObject): JsonObject {
    const shown = Object.entries(withoutDefault(schema)).filter(([keyword]) => isPublic(keyword))
    return Object.fromEntries(shown.map(([keyword, value]) => [keyword, this.#keyword(keyword, value)]))
  }

  /** Only these keywords contain schemas; others (examples, enum, default) contain data. */
  #keyword(keyword: string, value: unknown): unknown {
    if (/^(p|patternP)roperties$/.test(keyword) && isObject(value)) {
      const members = Object.entries(value)
      return Object.fromEntries(members.map(([name, member]) => [name, this.#describe(member)]))
    }
    if (/^(anyOf|oneOf|allOf|prefixItems)$/.test(keyword) && Array.isArray(value)) {
      return value.map((choice) => this.#describe(choice))
    }
    if (/^(not|items|additionalProperties)$/.test(keyword) && isObject(value)) return this.#describe(value)
    return value
  }
}

/** A schema outside of the document: without internal keywords and names, and whole where it is used. */
export function wholeSchema(schema: TSchema): JsonObject {
  const { $id: _id, ...rest } = schema as TSchema & { $id?: string } // `$id` is a keyword of JSON Schema
  return new SchemaComponents().describe(rest)
}

/** Names in other languages are for all programs. */
function isPublic(keyword: string): boolean {
  return !keyword.startsWith('x-') || keyword === 'x-labels'
}

/** Generators regard a member with a default as required: the default moves to the description. */
function withoutDefault({ default: value, ...schema }: JsonObject): JsonObject {
  if (value === undefined) return schema
  const text = `\`${JSON.stringify(value)}\` if absent`
  const { description } = schema
  return { ...schema, description: typeof description === 'string' ? `${description}; ${text}` : text }
}

export function sortedByName<T>(entries: Iterable<[string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)))
}

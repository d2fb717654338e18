/** Finds examples in the OpenAPI document that their own schemas refuse. */

import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { ServiceError } from '../../core/errors.ts'
import type { Route } from '../../core/feature/route.ts'
import { isObject } from '../../core/is-object.ts'
import { inputReader } from '../../core/schema/input.ts'
import { errorFinder, fieldName } from '../../core/schema/schema-errors.ts'
import { exampleOf } from './example.ts'

/** @returns a sentence for each faulty example */
export function faultyExamples(routes: readonly Route[]): string[] {
  return routes.flatMap((route) => [
    ...faultsOf(route, 'query', readFault),
    ...faultsOf(route, 'body', readFault),
    ...faultsOf(route, 'reply', checkFault),
  ])
}

type Fault = (schema: TSchema, example: unknown) => string | null

function faultsOf(route: Route, part: 'query' | 'body' | 'reply', faultIn: Fault): string[] {
  const schema = route[part]
  if (schema === undefined) return []
  const whole = faultIn(schema, exampleOf(schema))
  const found = whole === null ? [] : [whole]
  for (const { member, shape, example } of examplesIn(schema, '')) {
    const fault = checkFault(shape, example)
    if (fault !== null) found.push(fault.replace(/^body/, member))
  }
  return [...new Set(found)].map((fault) => `${route.method} ${route.path}, example of the ${part}: ${fault}`)
}

/** Reads the example as the route reads its input. */
function readFault(schema: TSchema, example: unknown): string | null {
  try {
    inputReader(schema)(example)
    return null
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

function checkFault(schema: TSchema, example: unknown): string | null {
  const validator = Compile(schema)
  if (validator.Check(example)) return null
  const [first] = errorFinder(validator)(example)
  return first === undefined ? null : `${fieldName(first.instancePath)}: ${first.message}`
}

interface Example {
  member: string
  shape: TSchema
  example: unknown
}

function* examplesIn(shape: TSchema, member: string): Generator<Example> {
  const { examples, properties = {}, items } = shape as Described // a JSON Schema
  if (member !== '') for (const example of examples ?? []) yield { member, shape, example }
  for (const [name, inner] of Object.entries(properties))
    yield* examplesIn(inner, member === '' ? name : `${member}.${name}`)
  if (isObject(items)) yield* examplesIn(items as TSchema, `${member}[]`) // an object in `items` is a JSON Schema
}

/** The keywords of a JSON Schema that `examplesIn` reads. */
type Described = TSchema & {
  examples?: unknown[]
  properties?: Record<string, TSchema>
  items?: unknown
}

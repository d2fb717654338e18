/** Validates input against a schema, for REST and GraphQL. */
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { readMoment } from '../../database/date.ts'
import { type Fault, faultAt, ServiceError } from '../errors.ts'
import { kindOfKeyword, type PlainFaultCode } from '../fault-codes.ts'
import { maxJsonDepth, tooDeep } from './json-bounds.ts'
import { clipPointer, errorFinder, escapedName, fieldName, type SchemaError } from './schema-errors.ts'
import { unknownMemberFinder } from './unknown-member.ts'

export type Reader<S extends TSchema> = (value: unknown) => Static<S>

/** The compiled schemas, shared by all services of the process, because their routes have the same schemas. */
const compiledSchemas = new WeakMap<TSchema, Compiled>()

/**
 * Makes a reader for a schema. The schema is compiled at the first input, because all schemas together would delay
 * the start.
 * @returns a function that drops unknown members, trims marked text, reads moments as UTC, and validates the rest;
 *   it throws ServiceError `invalid`, which names each faulty member. With `additionalProperties: false` unknown
 *   members are faulty. Objects in a list without marked text keep unknown members, because copying long lists takes time.
 */
export function inputReader<S extends TSchema>(schema: S): Reader<S> {
  let compiled: Compiled | null = null
  return (value) => {
    compiled ??= compiledOf(schema)
    const pointer = unstorableText(value, 0)
    if (pointer !== null) {
      const reason = 'must not contain null characters or lone surrogates'
      throw invalid([faultAt(clipPointer(pointer), reason, 'badCharacters')])
    }
    const unknown = compiled.unknownIn(value)
    const input = compiled.shape(value)
    const isValid = compiled.check(input)
    if (isValid && unknown.length === 0) return input as Static<S> // the validator has accepted it
    const faults = isValid ? [] : compiled.errorsOf(input).flatMap((error) => toFaults(error, schema))
    throw invalid([...unknown, ...faults])
  }
}

interface Compiled {
  /** Members that a closed schema does not have. */
  unknownIn(value: unknown): Fault[]
  shape(value: unknown): unknown
  check(value: unknown): boolean
  errorsOf(value: unknown): SchemaError[]
}

function compiledOf(schema: TSchema): Compiled {
  const known = compiledSchemas.get(schema)
  if (known !== undefined) return known
  const validator = Compile(schema)
  const compiled = {
    unknownIn: isClosed(schema) ? unknownMemberFinder(schema) : () => [],
    shape: shaper(schema),
    check: (value: unknown) => validator.Check(value),
    errorsOf: errorFinder(validator),
  }
  compiledSchemas.set(schema, compiled)
  return compiled
}

function toFaults(error: SchemaError, schema: TSchema): Fault[] {
  const { keyword, instancePath, message, params } = error
  if (keyword === 'required' && 'requiredProperties' in params) {
    const names = params.requiredProperties as string[] // the keyword's own parameter
    return names.map((name) => faultAt(`${instancePath}/${name}`, 'is required', 'required'))
  }
  if (keyword === 'enum' && 'allowedValues' in params) {
    const values = (params.allowedValues as unknown[]).map(String).join(', ') // the keyword's own parameter
    return [faultAt(instancePath, `must be one of ${values}`, { code: 'notOneOf', parameters: { values } })]
  }
  if (keyword === 'propertyNames') return [] // each of the names has a fault of its own
  const kind = kindOfKeyword(keyword, params)
  if (keyword === 'maxProperties' && 'limit' in params)
    return [faultAt(instancePath, `must have at most ${String(params.limit)} members`, kind)]
  const own = ['pattern', 'format'].includes(keyword) ? ownReason(schema, error.schemaPath) : {}
  if (own['x-reason'] !== undefined)
    return [faultAt(instancePath, own['x-reason'], own['x-code'] ?? 'badPattern')]
  if (keyword === 'format' && 'format' in params)
    return [faultAt(instancePath, `must be a valid ${String(params.format)}`, kind)]
  return [faultAt(instancePath, message, kind)]
}

interface OwnReason {
  'x-reason'?: string
  'x-code'?: PlainFaultCode
}

/** @returns the sentence and the code with which a schema explains its pattern or its format, if it has them */
function ownReason(schema: TSchema, schemaPath: string): OwnReason {
  let found: unknown = schema
  for (const step of schemaPath.split('/').slice(1))
    found = (found as Record<string, unknown> | undefined)?.[step] // a part of a JSON Schema
  return (found as OwnReason | undefined) ?? {} // the part of the schema that the path names
}

/** `name: is required; price: must be >= 0` */
function invalid(faults: Fault[]): ServiceError {
  const distinct = faults.filter(
    (fault, index) => faults.findIndex((other) => other.pointer === fault.pointer) === index,
  )
  const text = distinct.map(({ pointer, reason }) => `${fieldName(pointer)}: ${reason}`).join('; ')
  return new ServiceError('invalid', text, { faults: distinct })
}

/** @returns a function that keeps only members that the schema names, and normalises marked text */
function shaper(schema: TSchema | boolean): (value: unknown) => unknown {
  if (typeof schema === 'boolean') return (value) => value
  const normalize = normalizerOf(schema)
  if (normalize !== null) return (value) => (typeof value === 'string' ? normalize(value) : value)
  if ('items' in schema && normalizesText(schema)) {
    const item = shaper(schema.items as TSchema) // an array schema's own
    return (value) => (Array.isArray(value) ? value.map(item) : value)
  }
  if (!('properties' in schema) || isOpen(schema)) return (value) => value
  const properties = Object.entries(schema.properties as Record<string, TSchema>) // an object schema's own
  const members = properties.map(([name, member]) => [name, shaper(member)] as const)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const given = value as Record<string, unknown> // parsed JSON
    const shaped: Record<string, unknown> = {}
    for (const [name, shape] of members) if (Object.hasOwn(given, name)) shaped[name] = shape(given[name])
    return shaped
  }
}

function normalizerOf(schema: object): ((text: string) => string) | null {
  if ('x-trim' in schema) return (text) => text.trim()
  return 'x-moment' in schema ? (text) => readMoment(text) ?? text : null // the schema refuses the text
}

/** Whether the schema normalises a text anywhere in its values. */
function normalizesText(schema: TSchema | boolean): boolean {
  if (typeof schema === 'boolean') return false
  const { items, properties = {} } = schema as { items?: TSchema; properties?: Record<string, TSchema> } // of JSON Schema
  const inner = [...(items === undefined ? [] : [items]), ...Object.values(properties)]
  return normalizerOf(schema) !== null || inner.some(normalizesText)
}

/** Whether a schema accepts any members, such as the payload of an application's own event. */
function isOpen(schema: TSchema): boolean {
  return 'additionalProperties' in schema && schema.additionalProperties === true
}

function isClosed(schema: TSchema): boolean {
  return 'additionalProperties' in schema && schema.additionalProperties === false
}

/**
 * PostgreSQL cannot store a null character, and neither database a lone surrogate. Such text is refused, not altered.
 * @returns a pointer from the value to the text, or `null`
 */
function unstorableText(value: unknown, depth: number): string | null {
  if (depth > maxJsonDepth) throw tooDeep()
  if (typeof value === 'string') return isStorable(value) ? null : ''
  if (typeof value !== 'object' || value === null) return null
  return Array.isArray(value)
    ? unstorableInList(value, depth + 1)
    : unstorableInObject(value as Record<string, unknown>, depth + 1) // parsed JSON
}

function unstorableInList(values: readonly unknown[], depth: number): string | null {
  for (let index = 0; index < values.length; index++) {
    const found = unstorableText(values[index], depth)
    if (found !== null) return `/${index}${found}`
  }
  return null
}

function unstorableInObject(members: Readonly<Record<string, unknown>>, depth: number): string | null {
  for (const name of Object.keys(members)) {
    if (!isStorable(name)) return ''
    const found = unstorableText(members[name], depth)
    if (found !== null) return `/${escapedName(name)}${found}`
  }
  return null
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

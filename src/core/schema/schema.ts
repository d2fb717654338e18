/**
 * The schemas of fields that many shapes have, and functions that make schemas. Types and documents follow from
 * them.
 */
import { type TSchema, Type } from 'typebox'
import Format from 'typebox/format'
import { isDay, readMoment } from '../../database/date.ts'
import { isDisplayName } from '../display-name.ts'
import { isMailAddress, maxAddressLength } from '../mail-address.ts'

/** The largest price and total: 15 significant digits, which a JSON number holds exactly. */
export const maxAmount = 99_999_999_999.9999

export const Uuid = Type.String({
  format: 'uuid',
  examples: ['0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'],
})

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'ISO 8601, UTC, milliseconds',
  examples: ['2026-01-31T09:30:00.000Z'],
})

/** A day that exists in the calendar. */
export const Day = Type.Refine(
  Type.String({ format: 'date', maxLength: 10, examples: ['2026-01-31'] }),
  isDay,
  () => 'must be a valid date',
)

/** A date-time from a caller, which `inputReader` reads as the moment in UTC. */
export function Moment(description: string) {
  return Type.Refine(
    Type.String({
      format: 'date-time',
      maxLength: 64,
      description,
      'x-moment': true,
      examples: ['2026-01-02T03:04:05.000Z'],
    }),
    (value) => readMoment(value) !== null,
    () => 'must be a valid date-time',
  )
}

/** Text without surrounding blanks; its length is that of the trimmed text. */
export function Text(minLength: number, maxLength: number, extra: object = {}) {
  return Type.String({ minLength, maxLength, 'x-trim': true, ...extra })
}

/** One of some words. */
export function StringEnum<const W extends string>(words: readonly W[], extra: object = {}) {
  return Type.Unsafe<W>({ type: 'string', enum: words, ...extra })
}

/** A name that mails show to strangers. */
export function DisplayName(maxLength: number, extra: object) {
  return Type.Refine(
    Text(1, maxLength, extra),
    isDisplayName,
    () => 'must not have an address, a link, or characters that cannot be seen or told apart',
  )
}

// This replaces the library's rule, which accepts only ASCII, for the schemas of applications as well.
Format.Set('email', isMailAddress)

/** An address that mails can be sent to. */
export function MailAddress(extra: object = {}) {
  return Type.String({
    format: 'email',
    maxLength: maxAddressLength,
    'x-trim': true,
    'x-reason': 'must be an address that mails can be sent to',
    'x-code': 'badMailAddress',
    ...extra,
  })
}

interface Refinement {
  check(value: unknown): boolean
  error(value: unknown): string
}

/** The member in which the library TypeBox keeps the refinements of a schema, which are checks in code. */
const refinements = '~refine'

/** @returns the schema with further members. A plain spread would lose its refinements, which are not enumerable. */
export function withMembers<S extends TSchema>(schema: S, members: object): S {
  const copy = { ...schema, ...members }
  return refined(copy, refinementsOf(schema))
}

/** The schema without `null`, whatever it accepts. */
export function NotNull<S extends TSchema>(schema: S): S {
  const isValue = (value: unknown) => value !== null
  return Type.Refine(schema, isValue, () => 'must not be null')
}

interface Typed {
  type?: string | readonly string[]
  enum?: readonly unknown[]
}

/**
 * @returns a schema that accepts `null` as well. If possible it is written as a list of types, which every generator of
 *   clients understands, instead of `anyOf`.
 */
export function Nullable<S extends TSchema & Typed>(schema: S) {
  const whole = refinementsOf(schema).map(({ check, error }) => ({
    check: (value: unknown) => value === null || check(value),
    error,
  }))
  return refined(Type.Unsafe<Type.Static<S> | null>(nullableOf(schema)), whole)
}

/** Keywords that need `anyOf`: they may refuse `null` whatever the types, or name the schema without `null`. */
const notOfTypes = ['$id', '$ref', 'const', 'anyOf', 'oneOf', 'allOf', 'not', 'if']

function nullableOf(schema: TSchema & Typed): TSchema {
  const isUntyped = schema.type === undefined && schema.enum === undefined
  if (isUntyped || notOfTypes.some((keyword) => keyword in schema)) {
    const mark = 'x-json' in schema ? { 'x-json': true } : {}
    return { ...mark, anyOf: [schema, { type: 'null' }] }
  }
  const types = schema.type === undefined ? {} : { type: withNull([schema.type].flat(), 'null') } // an enum needs none
  const values = schema.enum === undefined ? {} : { enum: withNull(schema.enum, null) } // an enum lists null as well
  return { ...schema, ...types, ...values }
}

function withNull(values: readonly unknown[], none: unknown): readonly unknown[] {
  return values.includes(none) ? values : [...values, none]
}

function refinementsOf(schema: TSchema): readonly Refinement[] {
  return (schema as { [refinements]?: readonly Refinement[] })[refinements] ?? [] // as the library keeps them
}

function refined<S extends TSchema>(schema: S, kept: readonly Refinement[]): S {
  if (kept.length > 0) Object.defineProperty(schema, refinements, { value: kept, enumerable: false })
  return schema
}

export const Price = Type.Refine(
  Type.Number({ minimum: 0, maximum: maxAmount, description: 'At most 4 decimals', examples: [19.99] }),
  hasAtMostFourDecimals,
  () => 'must have at most 4 decimals',
)

export const ErrorMessage = Type.Object(
  {
    message: Type.String({
      description: 'The error in words; several faults are joined, each with the name of its field',
      examples: ['price: must be >= 0'],
    }),
  },
  { $id: 'ErrorMessage', description: 'The body of every error.' },
)

export const Done = Type.Object(
  { message: Type.String({ description: 'The result in words', examples: ['Done.'] }) },
  { $id: 'Done', description: 'The command is done. It has no other result.' },
)

/** Counts the decimals of the shortest text of the number, which is what JSON carries. */
export function hasAtMostFourDecimals(value: number): boolean {
  const text = String(value)
  return !text.includes('e') && (text.split('.')[1]?.length ?? 0) <= 4
}

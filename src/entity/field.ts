/** The kinds of fields that an entity may have, and the types that follow from them. */

import { type Static, type TSchema, Type } from 'typebox'
import { defined } from '../core/defined.ts'
import { withOwnBase } from '../core/schema/own-base.ts'
import {
  Day,
  hasAtMostFourDecimals,
  Moment,
  maxAmount,
  NotNull,
  StringEnum,
  Text,
  Uuid,
  withMembers,
} from '../core/schema/schema.ts'
import type { FileRules } from '../files/attach.ts'

export type ScalarKind =
  | 'text'
  | 'integer'
  | 'money'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'enum'
  | 'reference'
  | 'json'
  | 'sequence'

/** `longText` exists for the compiler only: a text that is too long for the payloads of events. */
type Kind = FieldSpec['kind'] | 'longText'

/** Whether callers must give a value, may give one, or cannot. */
export type Presence = 'required' | 'optional' | 'readOnly' | 'computed'

export interface FieldSpec {
  readonly kind: ScalarKind | 'many'
  /** The schema of a value that is not null. */
  readonly schema: TSchema
  readonly presence: Presence
  readonly isNullable: boolean
  readonly description?: string
  /** The value of a row whose creator gave none. */
  readonly fallback?: { readonly value: unknown }
  readonly values?: readonly string[]
  /** Text whose filters can ignore case. */
  readonly ignoresCase?: boolean
  /** The entity of a `reference`. */
  readonly target?: () => ReferencedEntity
  /** See `Field.shown`. */
  readonly isShown?: true
  /** The rules for a file to which the field refers. */
  readonly file?: FileRules
  /** Whether a reference names a user of the tenant. */
  readonly isUser?: true
  /** Whether a reference to a user is cleared when the user is deleted. */
  readonly isCleared?: true
  /** The fields of the rows of a `many`. */
  readonly items?: Fields
  /** The maximum number of rows of a `many`. */
  readonly maxItems?: number
}

/** The parts of an entity that references to it need. */
export interface ReferencedEntity {
  readonly name: string
  readonly table: string
}

/**
 * A field with the type of its value in a row, and of the value that callers give.
 * @typeParam P whether callers give it
 * @typeParam K tells references from other fields: their member is named `<field>Id`
 */
export class Field<Value, P extends Presence = 'required', K extends Kind = Kind, Given = Value> {
  declare readonly types: { value: Value; presence: P; kind: K; given: Given }
  readonly spec: FieldSpec

  constructor(spec: FieldSpec) {
    this.spec = spec
  }

  /** May be left out, and may be null. */
  optional(): Field<Value | null, 'optional', K, Given | null> {
    return new Field({ ...this.spec, presence: 'optional', isNullable: true, fallback: { value: null } })
  }

  /** May be left out: the row then has this value. */
  default(value: Value): Field<Value, 'optional', K, Given> {
    return new Field({ ...this.spec, presence: 'optional', fallback: { value } })
  }

  /** Callers cannot set it: a default, a hook or an action does. */
  readOnly(): Field<Value, 'readOnly', K, Given> {
    return new Field({ ...this.spec, presence: 'readOnly' })
  }

  /** The member `compute` of the entity makes its value from the row before each write. */
  computed(): Field<Value, 'computed', K, Given> {
    return new Field({ ...this.spec, presence: 'computed' })
  }

  /** For a reference: readers of the row also read the row that it names, without the right to read that entity. */
  shown(this: Field<Value, P, 'reference', Given>): Field<Value, P, 'reference', Given> {
    return new Field({ ...this.spec, isShown: true })
  }

  /** What the documents say of it. */
  describe(description: string): Field<Value, P, K, Given> {
    return new Field({ ...this.spec, description })
  }
}

// biome-ignore lint/suspicious/noExplicitAny: any field, whatever its types
export type AnyField = Field<any, any, any, any>
export type Fields = Readonly<Record<string, AnyField>>

export type Flat<T> = { [K in keyof T]: T[K] }
export type MemberOf<N extends string, F extends AnyField> = F['types']['kind'] extends 'reference'
  ? `${N}Id`
  : N
type NamesWith<F extends Fields, P extends Presence> = {
  [N in keyof F & string]: F[N]['types']['presence'] extends P ? N : never
}[keyof F & string]

/** The members of a row that the fields declare. */
export type ValuesOf<F extends Fields> = Flat<{
  [N in keyof F & string as MemberOf<N, F[N]>]: F[N]['types']['value']
}>

/** A row as callers get it. */
export type RowOf<F extends Fields> = Flat<
  { id: string } & ValuesOf<F> & { createdAt: string; updatedAt: string }
>

/** What callers give to create a row. */
export type InputOf<F extends Fields> = Flat<
  { [N in NamesWith<F, 'required'> as MemberOf<N, F[N]>]: F[N]['types']['given'] } & {
    [N in NamesWith<F, 'optional'> as MemberOf<N, F[N]>]?: F[N]['types']['given'] | undefined
  }
>

export type ComputedOf<F extends Fields> = NamesWith<F, 'computed'>

const required = { presence: 'required', isNullable: false } as const

interface TextOptions<M extends number> {
  /** The bounds of the length, in characters. */
  min?: number
  max?: M
  /** A regular expression that the whole text matches. */
  pattern?: string
  examples?: readonly string[]
  /** Filters can ignore case, and so do unique constraints. */
  ignoreCase?: boolean
}

const defaultMaxText = 200
const maxText = 100_000

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
/** 0 to 2000, the longest text in the payloads of events. */
type ShortMax = `${Digit | ''}${Digit | ''}${Digit}` | `1${Digit}${Digit}${Digit}` | '2000'
type TextKind<M extends number> = number extends M
  ? 'text' | 'longText'
  : `${M}` extends ShortMax
    ? 'text'
    : 'longText'

/** Text without surrounding blanks, of 1 to 200 characters by default. */
export function text<const M extends number = 200>(options: TextOptions<M> = {}) {
  const { min = 1, pattern, examples, ignoreCase } = options
  const max: number = options.max ?? defaultMaxText
  if (max > maxText) throw new Error(`A text of ${max} characters is longer than the maximum of ${maxText}.`)
  const whole = pattern === undefined ? undefined : `^(?:${pattern})$`
  const schema = Text(min, max, defined({ pattern: whole, examples }))
  return new Field<string, 'required', TextKind<M>>({
    ...required,
    kind: 'text',
    schema,
    ...(ignoreCase === true && { ignoresCase: true }),
  })
}

interface NumberOptions {
  min?: number
  max?: number
  examples?: readonly number[]
}

export function integer({
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
  examples = [Math.min(max, Math.max(min, 3))],
}: NumberOptions = {}) {
  const schema = Type.Integer({ minimum: min, maximum: max, examples })
  return new Field<number, 'required', 'integer'>({ ...required, kind: 'integer', schema })
}

/** An exact amount of at most four decimals, not negative by default. Add amounts with `sumOf` and `multiply`. */
export function money({
  min = 0,
  max = maxAmount,
  examples = [Math.min(max, Math.max(min, 19.99))],
}: NumberOptions = {}) {
  const schema = Type.Refine(
    Type.Number({
      minimum: min,
      maximum: max,
      description: 'At most 4 decimals',
      examples,
    }),
    hasAtMostFourDecimals,
    () => 'must have at most 4 decimals',
  )
  return new Field<number, 'required', 'money'>({ ...required, kind: 'money', schema })
}

export function boolean() {
  return new Field<boolean, 'required', 'boolean'>({ ...required, kind: 'boolean', schema: Type.Boolean() })
}

interface TimeOptions {
  /** Examples for the documents; by default a time in the first days of 2026. */
  examples?: readonly string[]
}

/** A day without a time: `2026-01-31`. */
export function date({ examples }: TimeOptions = {}) {
  const schema = withMembers(Day, defined({ examples }))
  return new Field<string, 'required', 'date'>({ ...required, kind: 'date', schema })
}

/** A moment: ISO 8601 in UTC with milliseconds. */
export function timestamp({ examples }: TimeOptions = {}) {
  const schema = withMembers(Moment('ISO 8601'), defined({ examples }))
  return new Field<string, 'required', 'timestamp'>({ ...required, kind: 'timestamp', schema })
}

/** One of some words. */
export function oneOf<const V extends readonly [string, ...string[]]>(...values: V) {
  const schema = StringEnum(values, { examples: [values[0]] })
  return new Field<V[number], 'required', 'enum'>({ ...required, kind: 'enum', schema, values })
}

/**
 * The id of a row of another entity of the same tenant. Its member is named `<field>Id`. Reading the row that it names
 * takes the right to read that entity, unless it is `shown()`.
 */
export function reference(target: ReferencedEntity | (() => ReferencedEntity)) {
  return new Field<string, 'required', 'reference'>({
    ...required,
    kind: 'reference',
    schema: { ...Uuid },
    target: typeof target === 'function' ? target : () => target,
  })
}

/** A value with a schema of its own: an object, or a list of values. */
export function json<S extends TSchema>(schema: S) {
  // The mark makes GraphQL use its scalar JSON for the value.
  const marked = NotNull(withMembers(withOwnBase(schema), { 'x-json': true }))
  return new Field<Static<S>, 'required', 'json'>({ ...required, kind: 'json', schema: marked })
}

const defaultMaxItems = 200

/** A list of scalar values. */
export function listOf<V>(
  item: Field<V, 'required', 'text' | 'longText' | 'integer' | 'money' | 'date' | 'enum'>,
  max = 50,
) {
  const schema = Type.Unsafe<V[]>(Type.Array(item.spec.schema, { maxItems: max }))
  return new Field<V[], 'required', 'json'>({ ...required, kind: 'json', schema })
}

/** Rows that belong to the row, are written with it, and are deleted with it. They keep their order. */
export function many<F extends Fields>(items: F, { max = defaultMaxItems, min = 0 } = {}) {
  return new Field<ValuesOf<F>[], 'required', 'many', InputOf<F>[]>({
    ...required,
    kind: 'many',
    schema: Type.Array(Type.Unknown(), { minItems: min, maxItems: max }),
    items,
    maxItems: max,
  })
}

/** Numbers the rows of a tenant from 1, without gaps. */
export function sequence() {
  const schema = Type.Integer({ minimum: 1, examples: [1] })
  return new Field<number, 'readOnly', 'sequence'>({
    kind: 'sequence',
    presence: 'readOnly',
    isNullable: false,
    schema,
  })
}

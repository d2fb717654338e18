/**
 * Attributes of users and API keys that an application declares, such as a region. Access rules compare them with
 * values of rows, for example so that a user sees only orders of the own region.
 */
import { type TSchema, Type } from 'typebox'
import { type Fault, faultAt, ServiceError } from './errors.ts'
import { suggestion } from './names.ts'
import { inputReader, type Reader } from './schema/input.ts'
import { Named } from './schema/record.ts'
import { escapedName, fieldName } from './schema/schema-errors.ts'

export const attributeKinds = ['text', 'oneOf', 'list', 'boolean'] as const
export type AttributeKind = (typeof attributeKinds)[number]

export interface AttributeType {
  readonly kind: AttributeKind
  /** The schema of a value. */
  readonly schema: TSchema
  readonly description: string | null
  /** The words of `oneOf`, and of a list of such words. */
  readonly values: readonly string[] | null
}

export type AttributeValue = string | boolean | readonly string[]
/** Values by the name of the attribute. An attribute without a value is absent. */
export type Attributes = Readonly<Record<string, AttributeValue>>
/** New values by the name of the attribute. `null` removes an attribute; omitted attributes stay unchanged. */
export type AttributeChange = Readonly<Record<string, AttributeValue | null>>

/** The present values of the attributes of one user or API key, as access rules compare them. */
export interface AttributeSet {
  /** @returns the value of a text as a list of one, the values of a list, or an empty list for an absent attribute */
  values(name: string): readonly string[]
}

export const noAttributes: AttributeSet = { values: () => [] }

export const maxAttributes = 50
const maxNameLength = 50
/** The maximum size of one value as JSON. */
const maxValueBytes = 16 * 1024
/** The maximum size of all values of a row as JSON, with their names. */
export const maxAttributesBytes = maxAttributes * (maxNameLength + 4 + maxValueBytes)
/** The maximum number of values in a list. */
const maxValues = 1000
export const attributeNamePattern = /^[a-z][A-Za-z0-9]{0,49}$/

const AnyText = Type.String({ maxLength: maxValueBytes })
const Value = Type.Union([AnyText, Type.Boolean(), Type.Array(AnyText, { maxItems: maxValues })])
const members = { maxProperties: maxAttributes, 'x-json': true }
const nameLength = { min: 1, max: maxNameLength }

/** The values of a row by name, as replies have them. */
export const AttributesShape = Type.Unsafe<Attributes>(
  Named(Value, nameLength, {
    ...members,
    description: 'The attributes that the application declares, by name, as far as they have a value',
    examples: [{}],
  }),
)

export const AttributeChangeShape = Type.Unsafe<AttributeChange>(
  Named(Type.Union([Value, Type.Null()]), nameLength, {
    ...members,
    description:
      'Attributes that the application declares, by name. Omitted ones stay unchanged, and `null` takes one away',
    examples: [{}],
  }),
)

/** The values of a row by name, as columns have them. */
export const StoredAttributes = Named(Value, nameLength, { maxProperties: maxAttributes })

/** The attributes of one application. */
export class DeclaredAttributes {
  readonly #types: ReadonlyMap<string, AttributeType>
  readonly #readers = new Map<string, Reader<TSchema>>()

  constructor(types: ReadonlyMap<string, AttributeType>) {
    this.#types = types
    for (const [name, { schema }] of types) this.#readers.set(name, inputReader(schema))
  }

  get isEmpty(): boolean {
    return this.#types.size === 0
  }

  list(): [name: string, type: AttributeType][] {
    return [...this.#types]
  }

  find(name: string): AttributeType | null {
    return this.#types.get(name) ?? null
  }

  /** @returns what follows the name of an unknown attribute in a message */
  suggestionFor(name: string): string {
    return suggestion(name, this.#types.keys())
  }

  /**
   * @param member the member of the request that has the change, for errors
   * @returns all values after the change
   * @throws ServiceError `invalid` for an attribute that is not declared, and for a value of another kind
   */
  changed(before: Attributes, change: AttributeChange = {}, member = 'attributes'): Attributes {
    const after = new Map(Object.entries(before))
    for (const [name, given] of Object.entries(change)) {
      if (!this.#types.has(name)) throw faultOf(member, name, unknownAttribute(this.suggestionFor(name)))
      if (given === null) after.delete(name)
      else after.set(name, this.#read(name, given, member))
    }
    return Object.fromEntries([...after].sort(([one], [other]) => (one < other ? -1 : 1)))
  }

  /** @param text of the column @returns the values that the present declarations allow; others are ignored */
  stored(text: string | null): Attributes {
    if (text === null || this.isEmpty) return {}
    const all = JSON.parse(text) as Attributes // written by `textOf`, or matched against its schema
    return Object.fromEntries(Object.entries(all).filter(([name, value]) => this.accepts(name, value)))
  }

  accepts(name: string, value: unknown): boolean {
    try {
      if (this.#types.has(name)) this.#read(name, value, name)
      return this.#types.has(name)
    } catch (error) {
      if (error instanceof ServiceError) return false
      throw error
    }
  }

  #read(name: string, given: unknown, member: string): AttributeValue {
    const value = this.#parsed(name, given, member)
    if (Buffer.byteLength(JSON.stringify(value)) > maxValueBytes)
      throw faultOf(member, name, {
        reason: `must not be larger than ${maxValueBytes / 1024} KiB`,
        kind: { code: 'tooLarge', parameters: { limit: maxValueBytes / 1024, unit: 'KiB' } },
      })
    return Array.isArray(value) ? [...new Set<string>(value)] : value
  }

  #parsed(name: string, given: unknown, member: string): AttributeValue {
    try {
      return this.#readers.get(name)?.(given) as AttributeValue // as its schema says
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const [fault] = error.faults
      throw faultOf(member, name, fault ?? { reason: 'is not valid', kind: { code: 'mismatch' } })
    }
  }
}

function unknownAttribute(hint: string): Omit<Fault, 'pointer'> {
  return { reason: `is no attribute${hint}`, kind: { code: 'unknownName' } }
}

/** Makes a 400 for one attribute. @param member the member of the request that has the attributes */
function faultOf(member: string, name: string, { reason, kind }: Omit<Fault, 'pointer'>): ServiceError {
  const pointer = `/${member}/${escapedName(name)}`
  return new ServiceError('invalid', `${fieldName(pointer)}: ${reason}`, {
    faults: [faultAt(pointer, reason, kind)],
  })
}

/** @param text of the column with the stored attributes */
export function attributeSet(declared: DeclaredAttributes, text: string | null): AttributeSet {
  if (text === null) return noAttributes
  const values = declared.stored(text)
  return { values: (name) => valuesOf(values[name]) }
}

/** @returns the text of the column; `null` if no attribute has a value */
export function textOf(attributes: Attributes): string | null {
  return Object.keys(attributes).length === 0 ? null : JSON.stringify(attributes)
}

/** @param value of an attribute; `undefined` if it is absent */
export function valuesOf(value: AttributeValue | undefined): readonly string[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [String(value)]
}

/** The filters of a list over REST: a parameter for each member and operator, `status` or `price[gte]`. */
import type { TSchema } from 'typebox'
import type { Context } from '../core/context.ts'
import { invalidField, type ServiceError } from '../core/errors.ts'
import type { FaultKind } from '../core/fault-codes.ts'
import { isUuid } from '../core/id.ts'
import { isDay, readMoment } from '../database/date.ts'
import { foldText } from '../database/fold-text.ts'
import type { ComparisonOperator, Filter } from '../database/read/filter.ts'
import {
  type FieldKind,
  mayFilter,
  type ReadField,
  type ReadModel,
  type Value,
} from '../database/read/read-model.ts'

export interface FilterParameter {
  schema: TSchema
  /** Whether `me` stands for the id of the caller. */
  takesMe: boolean
  /** @param given as the schema has it @throws ServiceError `invalid` for text that is no value of the member */
  read(given: unknown, context: Context, model: ReadModel): Filter
}

type TextOperator = 'eq' | 'contains' | 'startsWith' | 'endsWith'
type Operator = ComparisonOperator | 'neq' | 'in' | 'nin' | 'isNull' | `i${TextOperator}`

const equality: readonly Operator[] = ['eq', 'neq', 'in', 'nin']
const ordered: readonly Operator[] = [...equality, 'gt', 'gte', 'lt', 'lte']
const parts: readonly TextOperator[] = ['contains', 'startsWith', 'endsWith']
const ignoringCase: readonly Operator[] = ['ieq', 'icontains', 'istartsWith', 'iendsWith']

const operators: Record<FieldKind, readonly Operator[]> = {
  uuid: equality,
  text: [...equality, ...parts, ...ignoringCase],
  enum: equality,
  boolean: ['eq', 'neq'],
  decimal: ordered,
  integer: ordered,
  timestamp: ordered,
  date: ordered,
  json: [],
}

const meanings: Record<Operator, string> = {
  eq: 'equals this value',
  neq: 'has another value, or none',
  in: 'equals one of these values',
  nin: 'equals none of these values',
  gt: 'is greater',
  gte: 'is greater or equal',
  lt: 'is less',
  lte: 'is less or equal',
  contains: 'contains this text',
  startsWith: 'begins with this text',
  endsWith: 'ends with this text',
  ieq: 'equals this text, ignoring case',
  icontains: 'contains this text, ignoring case',
  istartsWith: 'begins with this text, ignoring case',
  iendsWith: 'ends with this text, ignoring case',
  isNull: 'has no value (`true`), or has one (`false`)',
}

const listForm =
  ', separated by commas. If the parameter is repeated, each occurrence is one value, which may have commas'
const maxValueLength = 1000
const maxListed = 100

/** @param taken names of other parameters of the list @returns the filters by the names of their parameters */
export function filterParameters(model: ReadModel, taken: ReadonlySet<string>): Map<string, FilterParameter> {
  const parameters = new Map<string, FilterParameter>()
  for (const field of model.fields.values()) {
    if (!mayFilter(model, field)) continue
    for (const operator of operatorsOf(field)) {
      const isBare = operator === 'eq' && !taken.has(field.name)
      const name = isBare ? field.name : `${field.name}[${operator}]`
      parameters.set(name, {
        schema: schemaOf(field, operator),
        takesMe: field.isUser === true,
        read: (given) => filterOf(name, { field, operator, given }),
      })
    }
  }
  return parameters
}

function operatorsOf({ kind, isNullable }: ReadField): readonly Operator[] {
  return isNullable && kind !== 'json' ? [...operators[kind], 'isNull'] : operators[kind]
}

interface Condition {
  field: ReadField
  operator: Operator
  given: unknown
}

function filterOf(name: string, { field, operator, given }: Condition): Filter {
  const text = String(given)
  const value = (each: string) => fieldValue(name, field, each)
  switch (operator) {
    case 'neq':
      return { kind: 'not', part: { kind: 'compare', field, operator: 'eq', value: value(text) } }
    case 'in':
      return { kind: 'in', field, values: listed(name, given).map(value) }
    case 'nin':
      return { kind: 'not', part: { kind: 'in', field, values: listed(name, given).map(value) } }
    case 'isNull': {
      const isNull: Filter = { kind: 'isNull', field }
      return text === 'false' ? { kind: 'not', part: isNull } : isNull
    }
    case 'ieq':
    case 'icontains':
    case 'istartsWith':
    case 'iendsWith':
      return {
        kind: 'compare',
        field,
        ignoresCase: true,
        operator: operator.slice(1) as TextOperator, // without the `i`
        value: foldText(text),
      }
    default:
      return { kind: 'compare', field, operator, value: value(text) }
  }
}

/** @param given one text, or those of a repeated parameter @throws ServiceError `invalid` for too many values */
function listed(name: string, given: unknown): string[] {
  const values = Array.isArray(given) ? given.map(String) : String(given).split(',')
  if (values.length > maxListed)
    throw invalidField(name, `must have ${maxListed} values at most`, {
      code: 'tooMany',
      parameters: { limit: maxListed },
    })
  return values
}

function schemaOf({ kind, name, values }: ReadField, operator: Operator): TSchema {
  const description = `\`${name}\` ${meanings[operator]}`
  if (operator === 'isNull' || kind === 'boolean')
    return optional({ type: 'string', enum: ['true', 'false'], description, examples: ['true'] })
  if (kind === 'enum' && (operator === 'eq' || operator === 'neq'))
    return optional({ type: 'string', enum: [...values], description, examples: [values[0]] })
  const text = { type: 'string', maxLength: maxValueLength }
  const examples = [exampleOf(kind, values)]
  if (operator !== 'in' && operator !== 'nin') return optional({ ...text, description, examples })
  const list = { type: ['string', 'array'], items: text, maxItems: maxListed, maxLength: maxValueLength }
  return optional({ ...list, description: `${description}${listForm}`, examples })
}

/** Marks a schema like `Type.Optional`, but without a copy: an application has tens of thousands of these. */
function optional(schema: object): TSchema {
  return Object.defineProperty(schema, '~optional', { value: true })
}

function exampleOf(kind: FieldKind, values: readonly string[]): string {
  const examples: Record<FieldKind, string> = {
    uuid: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11',
    text: 'oak',
    enum: values.join(),
    boolean: 'true',
    decimal: '19.99',
    integer: '3',
    timestamp: '2026-01-31T09:30:00.000Z',
    date: '2026-01-31',
    json: '',
  }
  return examples[kind]
}

/** @throws ServiceError `invalid` for text that is no value of the field */
function fieldValue(name: string, { kind, values }: ReadField, text: string): Value {
  const value = readValue(kind, text)
  if (value === null || (kind === 'enum' && !values.includes(text)))
    throw kind === 'enum'
      ? notOneOf(name, values.join(', '))
      : invalidField(name, `is no ${kind}`, ofType(kind))
  return value
}

function notOneOf(name: string, values: string): ServiceError {
  return invalidField(name, `must be one of ${values}`, { code: 'notOneOf', parameters: { values } })
}

function ofType(type: string): FaultKind {
  return { code: 'wrongType', parameters: { type } }
}

function readValue(kind: FieldKind, text: string): Value | null {
  switch (kind) {
    case 'uuid':
      return isUuid(text) ? text.toLowerCase() : null
    case 'boolean':
      return text === 'true'
    case 'integer':
      return /^-?\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null
    case 'decimal':
      return /^-?\d{1,11}(\.\d{1,4})?$/.test(text) ? Number(text) : null
    case 'date':
      return isDay(text) ? text : null
    case 'timestamp':
      return readMoment(isDay(text) ? `${text}T00:00:00Z` : text)
    default:
      return text
  }
}

/** The maximum number of words in a search. */
export const maxWords = 8

/** Rows in which every word occurs, in any of the fields. @throws ServiceError `invalid` for too many words */
export function searchFilter(fields: readonly ReadField[], text: string, name = 'search'): Filter {
  return {
    kind: 'and',
    parts: searchedWords(text, maxWords, name).map((value) => ({
      kind: 'or',
      parts: fields.map((field) => ({
        kind: 'compare',
        field,
        operator: 'contains',
        value,
        ignoresCase: true,
      })),
    })),
  }
}

/** @returns the case-folded words of the text @throws ServiceError `invalid` for too many words */
export function searchedWords(text: string, limit: number, name = 'search'): string[] {
  const words = wordsOf(text)
  if (words.length <= limit) return words
  throw invalidField(name, `must have ${limit} words at most`, { code: 'tooMany', parameters: { limit } })
}

/** @returns the case-folded words of the text */
export function wordsOf(text: string): string[] {
  return foldText(text)
    .split(/\s+/)
    .filter((word) => word !== '')
}

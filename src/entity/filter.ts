/** The filters of a list over REST: a parameter for each member and operator, `status` or `price[gte]`. */
import { type TSchema, Type } from 'typebox'
import { invalidField } from '../core/errors.ts'
import { isUuid } from '../core/id.ts'
import type { ComparisonOperator, Filter } from '../database/read/filter.ts'
import type { FieldKind, ReadField, ReadModel, Value } from '../database/read/read-model.ts'
import type { Member, Shape } from './definition.ts'
import { foldText } from './row.ts'

export interface FilterParameter {
  schema: TSchema
  /** @throws ServiceError `invalid` for text that is no value of the member */
  read(text: string): Filter
}

type Operator = ComparisonOperator | 'ne' | 'in' | 'isNull'

const comparisons = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte'] as const

const operators: Record<FieldKind, readonly Operator[]> = {
  uuid: ['eq', 'ne', 'in'],
  text: ['eq', 'ne', 'in', 'contains', 'startsWith', 'endsWith'],
  enum: ['eq', 'ne', 'in'],
  boolean: ['eq'],
  decimal: comparisons,
  integer: comparisons,
  timestamp: comparisons,
  date: comparisons,
  json: [],
}

/** On text that ignores case; their parameters begin with `i`. */
const foldedOperators = ['eq', 'contains', 'startsWith', 'endsWith'] as const

const meanings: Record<Operator, string> = {
  eq: 'equals this value',
  ne: 'has another value, or none',
  in: 'equals one of these values, separated by commas',
  gt: 'is greater',
  gte: 'is greater or equal',
  lt: 'is less',
  lte: 'is less or equal',
  contains: 'contains this text',
  startsWith: 'begins with this text',
  endsWith: 'ends with this text',
  isNull: 'has no value (`true`), or has one (`false`)',
}

const maxValueLength = 1000
const maxListed = 100

/** @returns the parameters by name */
export function filterParameters({ members }: Shape, model: ReadModel): Map<string, FilterParameter> {
  const parameters = new Map<string, FilterParameter>()
  for (const field of model.fields.values()) {
    const member = members.find(({ name }) => name === field.name)
    for (const operator of operatorsOf(field)) {
      const name = operator === 'eq' ? nameOf(field, member) : `${nameOf(field, member)}[${operator}]`
      parameters.set(name, parameterOf(name, field, operator))
    }
    if (member?.foldedColumn == null) continue
    const folded = foldedField(field, member.foldedColumn)
    for (const operator of foldedOperators) {
      const name = `${nameOf(field, member)}[i${operator}]`
      parameters.set(name, {
        ...parameterOf(name, folded, operator),
        schema: schemaOf(field, operator, ', ignoring case'),
      })
    }
  }
  return parameters
}

/** A reference is named as it is declared: `customer`, like its relation in GraphQL. */
function nameOf(field: ReadField, member: Member | undefined): string {
  return member?.field ?? field.name
}

function operatorsOf({ kind, isNullable }: ReadField): readonly Operator[] {
  return isNullable && kind !== 'json' ? [...operators[kind], 'isNull'] : operators[kind]
}

/** The folded texts of the searched members. */
export function searchedFields(search: readonly Member[], { fields }: ReadModel): ReadField[] {
  return search.flatMap(({ name, foldedColumn }) => {
    const field = fields.get(name)
    return field === undefined || foldedColumn === null ? [] : [foldedField(field, foldedColumn)]
  })
}

function foldedField(field: ReadField, column: string): ReadField {
  return { ...field, name: column, column }
}

function parameterOf(name: string, field: ReadField, operator: Operator): FilterParameter {
  const isFolded = field.name === field.column && field.name.startsWith('search_')
  const value = (text: string) => valueOf(name, field, isFolded ? foldText(text) : text)
  return { schema: schemaOf(field, operator), read: (text) => filterOf(name, field, operator, text, value) }
}

function filterOf(
  name: string,
  field: ReadField,
  operator: Operator,
  text: string,
  value: (text: string) => Value,
): Filter {
  switch (operator) {
    case 'ne':
      return { kind: 'not', part: { kind: 'compare', field, operator: 'eq', value: value(text) } }
    case 'in': {
      const listed = text.split(',')
      if (listed.length > maxListed) throw invalidField(name, `must have ${maxListed} values at most`)
      return { kind: 'in', field, values: listed.map(value) }
    }
    case 'isNull': {
      const isNull: Filter = { kind: 'isNull', field }
      return text === 'false' ? { kind: 'not', part: isNull } : isNull
    }
    default:
      return { kind: 'compare', field, operator, value: value(text) }
  }
}

function schemaOf({ kind, name, values }: ReadField, operator: Operator, more = ''): TSchema {
  const description = `\`${name}\` ${meanings[operator]}${more}`
  if (operator === 'isNull' || kind === 'boolean')
    return Type.String({ enum: ['true', 'false'], description, examples: ['true'] })
  if (kind === 'enum' && operator !== 'in')
    return Type.String({ enum: [...values], description, examples: [values[0]] })
  return Type.String({ maxLength: maxValueLength, description, examples: [exampleOf(kind, values)] })
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
function valueOf(name: string, { kind, values }: ReadField, text: string): Value {
  const value = read(kind, text)
  if (value === null || (kind === 'enum' && !values.includes(text)))
    throw invalidField(name, kind === 'enum' ? `must be one of ${values.join(', ')}` : `is no ${kind}`)
  return value
}

function read(kind: FieldKind, text: string): Value | null {
  switch (kind) {
    case 'uuid':
      return isUuid(text) ? text.toLowerCase() : null
    case 'boolean':
      return text === 'true'
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : null
    case 'decimal':
      return /^-?\d{1,11}(\.\d{1,4})?$/.test(text) ? Number(text) : null
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) ? text : null
    case 'timestamp': {
      const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
      return Number.isNaN(ms) ? null : new Date(ms).toISOString()
    }
    default:
      return text
  }
}

const maxWords = 8

/** Rows in which every word occurs, in any of the searched fields. @throws ServiceError `invalid` for too many words */
export function searchFilter(fields: readonly ReadField[], text: string): Filter {
  const words = foldText(text)
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length > maxWords) throw invalidField('search', `must have ${maxWords} words at most`)
  return {
    kind: 'and',
    parts: words.map((value) => ({
      kind: 'or',
      parts: fields.map((field) => ({ kind: 'compare', field, operator: 'contains', value })),
    })),
  }
}

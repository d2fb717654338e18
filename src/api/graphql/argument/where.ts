/**
 * Converts the argument `where` to a filter. An operator that begins with `n` is the exact negation of the one without:
 * rows without a value match it.
 */
import type { GraphQLError } from 'graphql'
import { foldText } from '../../../database/fold-text.ts'
import { type ComparisonOperator, everything, type Filter } from '../../../database/read/filter.ts'
import type { ReadField, ReadModel, Relation, Value } from '../../../database/read/read-model.ts'
import { refuse } from '../error.ts'

/** An input object that the schema has validated. */
type Input = Readonly<Record<string, unknown>> | null | undefined

/** @throws GraphQLError for null in place of a value, or text that cannot be stored */
export function filterOf(entity: ReadModel, where: Input): Filter {
  return restriction(entity, where) ?? everything
}

/** @returns `null` without a restriction: an empty object or an empty list */
function restriction(entity: ReadModel, where: Input): Filter | null {
  if (where === null || where === undefined) return null
  return each(where, (name, value) => part(entity, name, value))
}

function part(entity: ReadModel, name: string, value: unknown): Filter | null {
  const field = entity.fields.get(name)
  if (field !== undefined) return ofField(field, value as Input) // the schema admits input objects only
  const relation = entity.relations.get(name)
  if (relation !== undefined) return ofRelation(relation, value as Input) // the schema admits input objects only
  return combined(name, value, (given) => restriction(entity, given))
}

/** Reads `and` and `or`. Parts without a restriction are ignored, as in Hot Chocolate. */
function combined(name: string, value: unknown, read: (part: Input) => Filter | null): Filter | null {
  const given = (value ?? []) as Input[] // the schema admits lists of input objects only
  const parts = given.map(read).filter((filter) => filter !== null)
  if (parts.length === 0) return null
  return name === 'or' ? { kind: 'or', parts } : all(parts)
}

function ofRelation(relation: Relation, value: Input): Filter | null {
  if (relation.kind === 'one') {
    if (value === null) return related(relation, 'none', everything)
    const filter = restriction(relation.entity, value)
    return filter === null ? null : related(relation, 'some', filter)
  }
  return each(value ?? {}, (quantifier, of) => {
    if (of === null) throw nullRefused(`${relation.name}.${quantifier}`)
    if (quantifier === 'any') return related(relation, of === true ? 'some' : 'none', everything)
    return related(relation, quantifier as 'all', filterOf(relation.entity, of as Input)) // all, none, some
  })
}

function related(relation: Relation, quantifier: 'some' | 'all' | 'none', filter: Filter): Filter {
  return { kind: 'related', relation, quantifier, filter }
}

function ofField(field: ReadField, operations: Input): Filter | null {
  if (operations === null) throw nullRefused(field.name)
  return each(operations ?? {}, (operator, operand) =>
    operator === 'and' || operator === 'or'
      ? combined(operator, operand, (given) => ofField(field, given))
      : operation(field, operator, operand),
  )
}

const negations: Readonly<Record<string, string>> = {
  neq: 'eq',
  nin: 'in',
  ngt: 'gt',
  ngte: 'gte',
  nlt: 'lt',
  nlte: 'lte',
  ncontains: 'contains',
  nstartsWith: 'startsWith',
  nendsWith: 'endsWith',
}

const ignoringCase: Readonly<Record<string, ComparisonOperator>> = {
  ieq: 'eq',
  icontains: 'contains',
  istartsWith: 'startsWith',
  iendsWith: 'endsWith',
}

function operation(field: ReadField, operator: string, operand: unknown): Filter {
  const positive = negations[operator]
  if (positive !== undefined) return { kind: 'not', part: operation(field, positive, operand) }
  if (operator === 'eq' && operand === null) return { kind: 'isNull', field }
  if (operand === null) throw nullRefused(`${field.name}.${operator}`)
  if (operator === 'in') return membership(field, operand as (Value | null)[]) // the schema admits lists only
  const value = storable(field, operand as Value) // the schema admits scalars only
  const comparison = ignoringCase[operator]
  if (comparison !== undefined)
    return { kind: 'compare', field, operator: comparison, value: foldText(String(value)), ignoresCase: true }
  return { kind: 'compare', field, operator: operator as ComparisonOperator, value } // the schema has no others
}

function membership(field: ReadField, operands: readonly (Value | null)[]): Filter {
  const values = operands.filter((value) => value !== null).map((value) => storable(field, value))
  const isOneOf: Filter[] = values.length === 0 ? [] : [{ kind: 'in', field, values }]
  return { kind: 'or', parts: operands.includes(null) ? [...isOneOf, { kind: 'isNull', field }] : isOneOf }
}

function storable(field: ReadField, value: Value): Value {
  if (typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'))) return value
  throw refuse('value', `${field.name}: must not contain null characters or lone surrogates`)
}

function nullRefused(where: string): GraphQLError {
  return refuse('nonNull', `${where}: must not be null; use eq: null to find rows without a value`)
}

/** The conjunction of the members of an input object. */
function each(
  members: Readonly<Record<string, unknown>>,
  read: (name: string, value: unknown) => Filter | null,
): Filter | null {
  const parts: Filter[] = []
  for (const name of Object.keys(members)) {
    const filter = read(name, members[name])
    if (filter !== null) parts.push(filter)
  }
  return all(parts)
}

function all(parts: readonly Filter[]): Filter | null {
  return parts.length > 1 ? { kind: 'and', parts } : (parts[0] ?? null)
}

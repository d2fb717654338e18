/**
 * Decides without the database whether the known values of a row match a filter, with the result that SQL would
 * have.
 */
import { foldText } from '../fold-text.ts'
import type { Filter } from './filter.ts'
import type { Value } from './read-model.ts'

/** The known values by the names of the members, as callers see them. A missing member has an unknown value. */
export type KnownValues = Readonly<Record<string, unknown>>

/** @throws UnknownValue for a filter that names a member whose value is not known */
export function matches(filter: Filter, row: KnownValues): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, row))
    case 'or':
      return filter.parts.some((part) => matches(part, row))
    case 'not':
      return !matches(filter.part, row)
    case 'isNull':
      return valueIn(row, filter.field.name) === null
    case 'in': {
      const value = valueIn(row, filter.field.name)
      return value !== null && filter.values.includes(value)
    }
    case 'compare': {
      const value = valueIn(row, filter.field.name)
      return value !== null && compares(value, filter)
    }
    case 'stated':
      throw new UnknownValue('a column')
    case 'related':
      throw new UnknownValue(filter.relation.name)
  }
}

export class UnknownValue extends Error {
  constructor(name: string) {
    super(`The value of ${name} is not known.`)
  }
}

function valueIn(row: KnownValues, name: string): Value | null {
  const value = row[name]
  if (value === undefined) throw new UnknownValue(name)
  return value as Value | null // of a member with a column
}

function compares(
  value: Value,
  { operator, value: given, ignoresCase }: Extract<Filter, { kind: 'compare' }>,
): boolean {
  const own = ignoresCase === true ? foldText(String(value)) : value
  switch (operator) {
    case 'eq':
      return own === given
    case 'gt':
      return own > given
    case 'gte':
      return own >= given
    case 'lt':
      return own < given
    case 'lte':
      return own <= given
    case 'contains':
      return String(own).includes(String(given))
    case 'startsWith':
      return String(own).startsWith(String(given))
    case 'endsWith':
      return String(own).endsWith(String(given))
  }
}

/** @returns a member that has one of these values in every matching row; `null` if the filter requires none */
export function equalityIn(filter: Filter): { member: string; values: readonly Value[] } | null {
  switch (filter.kind) {
    case 'compare':
      return filter.operator === 'eq' && filter.ignoresCase !== true
        ? { member: filter.field.name, values: [filter.value] }
        : null
    case 'in':
      return { member: filter.field.name, values: filter.values }
    case 'and': {
      for (const part of filter.parts) {
        const found = equalityIn(part)
        if (found !== null) return found
      }
      return null
    }
    default:
      return null
  }
}

/** Makes filters in code; filters of requests are parsed elsewhere. */
import type { ComparisonOperator, Filter } from './filter.ts'
import { columnField, type ReadField, type ReadModel, type Value } from './read-model.ts'

/** Matches the row with this key, for an entity whose key has one member, as most have. */
export function hasKey({ key: [field], name }: ReadModel, value: string): Filter {
  if (field === undefined) throw new Error(`${name} has no key.`)
  return { kind: 'compare', field, operator: 'eq', value }
}

/** Matches the rows that have the text in a column. @param text `null` to match no row */
export function columnIs(column: string, text: string | null): Filter {
  if (text === null) return { kind: 'or', parts: [] }
  return { kind: 'compare', field: columnField(column, 'text'), operator: 'eq', value: text }
}

/** Matches the rows whose member compares so with the value. */
export function comparing(
  model: ReadModel,
  name: string,
  operator: ComparisonOperator,
  value: Value,
): Filter {
  return { kind: 'compare', field: memberOf(model, name), operator, value }
}

/** Matches the rows whose member is not null. */
export function having(model: ReadModel, name: string): Filter {
  return { kind: 'not', part: { kind: 'isNull', field: memberOf(model, name) } }
}

function memberOf({ fields, name: entity }: ReadModel, name: string): ReadField {
  const field = fields.get(name)
  if (field === undefined) throw new Error(`${entity} has no ${name}.`)
  return field
}

/** @param within `null` for all rows @returns a filter that matches the rows that match both */
export function narrowed(filter: Filter, within: Filter | null): Filter {
  return within === null ? filter : { kind: 'and', parts: [within, filter] }
}

/** @returns the conditions that hold for every row that matches */
export function requiredBy(filter: Filter): readonly Filter[] {
  return filter.kind === 'and' ? filter.parts.flatMap(requiredBy) : [filter]
}

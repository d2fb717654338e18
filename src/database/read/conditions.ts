/** Filters that code makes, beside those of requests. */
import type { ComparisonOperator, Filter } from './filter.ts'
import { columnField, type ReadField, type ReadModel, type Value } from './read-model.ts'

/** The row whose key has one member, as most have. */
export function hasKey({ key: [field], name }: ReadModel, value: string): Filter {
  if (field === undefined) throw new Error(`${name} has no key.`)
  return { kind: 'compare', field, operator: 'eq', value }
}

/** The rows that have the text in a column, for what a caller reaches. @param text `null` for no row */
export function columnIs(column: string, text: string | null): Filter {
  if (text === null) return { kind: 'or', parts: [] }
  return { kind: 'compare', field: columnField(column, 'text'), operator: 'eq', value: text }
}

/** The rows whose member compares with the value. */
export function comparing(
  model: ReadModel,
  name: string,
  operator: ComparisonOperator,
  value: Value,
): Filter {
  return { kind: 'compare', field: memberOf(model, name), operator, value }
}

/** The rows whose member has a value. */
export function having(model: ReadModel, name: string): Filter {
  return { kind: 'not', part: { kind: 'isNull', field: memberOf(model, name) } }
}

function memberOf({ fields, name: entity }: ReadModel, name: string): ReadField {
  const field = fields.get(name)
  if (field === undefined) throw new Error(`${entity} has no ${name}.`)
  return field
}

/** @param within `null` for all rows @returns the rows that match both */
export function narrowed(filter: Filter, within: Filter | null): Filter {
  return within === null ? filter : { kind: 'and', parts: [within, filter] }
}

/** @returns the conditions that hold for every row that matches */
export function requiredBy(filter: Filter): readonly Filter[] {
  return filter.kind === 'and' ? filter.parts.flatMap(requiredBy) : [filter]
}

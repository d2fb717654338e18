/** Writes the query of the GraphQL API that counts the rows for each word of an enum. */
import type { EntityDescription, FieldDescription } from '../describe.ts'
import { type ListFilter, requestedValue } from './filter.ts'

export interface Listed {
  entity: EntityDescription
  filters: readonly ListFilter[]
  search: string
}

/**
 * @returns the query, for the rows that match the other filters; `null` with a search or a filter on empty values,
 *   which aggregates do not support, and with a value in the address that its field does not allow
 */
export function wordCountQuery(
  { entity: { plural }, filters, search }: Listed,
  { name }: FieldDescription,
): string | null {
  const others = filters.filter(({ field }) => field.name !== name)
  if (search !== '' || others.some(({ operator }) => operator === 'isNull')) return null
  if (!others.every(isWellFormed)) return null
  const where = others.map((each) => `{${each.field.name}:{${each.operator}:${literalOf(each)}}}`)
  return `{counts:${plural}Aggregate(groupBy:[${name}],where:{and:[${where}]}){key{${name}}count}}`
}

const unquoted = new Set<FieldDescription['kind']>(['enum', 'boolean', 'integer', 'money', 'sequence'])

/** Whether a value from the address can be written without quotes: otherwise it could change the query. */
function isWellFormed({ field, value }: ListFilter): boolean {
  return !unquoted.has(field.kind) || /^-?[\w.]+(,-?[\w.]+)*$/.test(value)
}

function literalOf(filter: ListFilter): string {
  const value = requestedValue(filter)
  const literal = (each: string) => (unquoted.has(filter.field.kind) ? each : JSON.stringify(each))
  return filter.operator === 'in' || filter.operator === 'nin'
    ? `[${value.split(',').map(literal)}]`
    : literal(value)
}

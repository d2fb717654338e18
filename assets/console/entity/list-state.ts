/** Reads the state of a list from its address: filters, sort and columns. */
import { allFields, type EntityDescription, type FieldDescription } from '../describe.ts'
import { type ListFilter, parameterOf, requestedValue } from './filter.ts'

const usualColumns = 6

/** @returns the parameters of the request for the list */
export function queryOf(
  entity: EntityDescription,
  query: URLSearchParams,
  filters: readonly ListFilter[],
): Record<string, string> {
  const search = query.get('search')
  const cursor = query.get('cursor')
  const sort = query.get('sort') ?? entity.console?.list?.sort ?? null
  return {
    ...(sort !== null && { sort }),
    ...(search !== null && { search }),
    ...(cursor !== null && { cursor }),
    ...Object.fromEntries(filters.map((filter) => [parameterOf(filter), requestedValue(filter)])),
  }
}

/** @param chosen the names in order; `null` for those of the definition, or else the first fields */
export function columnsOf(entity: EntityDescription, chosen: readonly string[] | null): FieldDescription[] {
  const fields = allFields(entity)
  const found = fieldsNamed(fields, chosen ?? entity.defaultColumns ?? [])
  if (found.length > 0) return found
  const title = fields.filter(({ name }) => name === entity.title)
  const others = fields.filter(({ name }) => ![entity.title, 'updatedAt', 'createdAt'].includes(name))
  const created = fields.filter(({ name }) => name === 'createdAt')
  return [...title, ...others.slice(0, usualColumns - title.length - 1), ...created]
}

/** @returns all fields, beginning with those that lists show */
export function importantFirst(entity: EntityDescription): FieldDescription[] {
  const all = allFields(entity)
  return fieldsNamed(all, [...(entity.defaultColumns ?? []), ...all.map(({ name }) => name)])
}

/** @returns the fields with these names, without removed ones */
function fieldsNamed(fields: readonly FieldDescription[], names: readonly string[]): FieldDescription[] {
  return [...new Set(names)].flatMap((name) => fields.find((field) => field.name === name) ?? [])
}

/** What the address says of a list: its filters, its sort, its columns. */
import { allFields, type EntityDescription, type FieldDescription } from '../describe.ts'
import { type ListFilter, parameterOf, requestedValue } from './filter.ts'

const usualColumns = 6

/** The parameters of the request. */
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

/** @param chosen their names in order; otherwise those of the definition, or the first ones */
export function columnsOf(entity: EntityDescription, chosen: readonly string[] | null): FieldDescription[] {
  const fields = allFields(entity)
  const found = fieldsNamed(fields, chosen ?? entity.defaultColumns ?? [])
  if (found.length > 0) return found
  const title = fields.filter(({ name }) => name === entity.title)
  const others = fields.filter(({ name }) => ![entity.title, 'updatedAt', 'createdAt'].includes(name))
  const created = fields.filter(({ name }) => name === 'createdAt')
  return [...title, ...others.slice(0, usualColumns - title.length - 1), ...created]
}

/** All fields, first those that lists show. */
export function importantFirst(entity: EntityDescription): FieldDescription[] {
  const all = allFields(entity)
  return fieldsNamed(all, [...(entity.defaultColumns ?? []), ...all.map(({ name }) => name)])
}

/** A field that is gone has no column. */
function fieldsNamed(fields: readonly FieldDescription[], names: readonly string[]): FieldDescription[] {
  return [...new Set(names)].flatMap((name) => fields.find((field) => field.name === name) ?? [])
}

/** What the address says of a list: its filters, its sort, its columns. */
import { allFields, type EntityDescription, type FieldDescription } from '../describe.ts'
import { type ListFilter, parameterOf } from './filter.ts'

const usualColumns = 6

/** The parameters of the request. */
export function queryOf(query: URLSearchParams, filters: readonly ListFilter[]): Record<string, string> {
  const given = ['sort', 'search', 'cursor'].flatMap((name) => {
    const value = query.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return Object.fromEntries([
    ...given,
    ...filters.map((filter) => [parameterOf(filter), filter.value] as const),
  ])
}

/** The chosen columns, or the first ones and the time of creation. */
export function columnsOf(entity: EntityDescription, chosen: string | null): FieldDescription[] {
  const fields = allFields(entity)
  if (chosen !== null) {
    const names = chosen.split(',')
    return fields.filter(({ name }) => names.includes(name))
  }
  const title = fields.filter(({ name }) => name === entity.title)
  const others = fields.filter(
    ({ name }) => name !== entity.title && name !== 'updatedAt' && name !== 'createdAt',
  )
  const created = fields.filter(({ name }) => name === 'createdAt')
  return [...title, ...others.slice(0, usualColumns - title.length - 1), ...created]
}

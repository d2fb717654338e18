/** Which reads an index bounds, and the time that the others have. */
import type { RawBuilder, SqlBool } from 'kysely'
import { withinTime } from '../scan.ts'
import { snakeCase } from '../snake-case.ts'
import type { Entity } from './entity.ts'
import { type Filter, restriction } from './filter.ts'
import { isOneWay, type SortKey } from './order.ts'
import type { SqlBuilder } from './sql-builder.ts'

export interface Rows {
  entity: Entity
  filter: Filter
  order: readonly SortKey[]
}

/**
 * Whether the first rows are found without looking at others: all that an index has in this order. Downwards it is read
 * backwards, and rows that are equal are sorted by their keys: how many these are, nothing bounds.
 */
export function isIndexed({ entity, filter, order }: Rows): boolean {
  const isAll = filter.kind === 'and' && filter.parts.length === 0
  return isAll && (isByKey(entity, order) || (isOneWay(order) && hasIndex(entity, order)))
}

function isByKey({ key }: Entity, order: readonly SortKey[]): boolean {
  return order.every(
    ({ path, field }) => path.length === 0 && key.some(({ column }) => column === field.column),
  )
}

function hasIndex({ indexes, key }: Entity, order: readonly SortKey[]): boolean {
  const columns = order.map(({ field }) => field.column)
  return indexes.some((names) => {
    const indexed = [...names.map(snakeCase), ...key.map(({ column }) => column)]
    return columns.length === indexed.length && columns.every((column, place) => column === indexed[place])
  })
}

/** The rows that match, as long as there is time to judge them. */
export function guarded(rows: Rows, alias: string, builder: SqlBuilder): RawBuilder<SqlBool> {
  return isIndexed(rows) ? restriction(rows.filter, alias, builder) : timeLimited(rows, alias, builder)
}

/** The same for a read that looks at each of them. */
export function timeLimited({ filter }: Rows, alias: string, builder: SqlBuilder): RawBuilder<SqlBool> {
  return withinTime(builder.dialect, `${alias}.tenant_id`, restriction(filter, alias, builder))
}

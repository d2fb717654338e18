/** Decides which reads an index bounds; gives all others a time limit. */
import type { RawBuilder, SqlBool } from 'kysely'
import { withinTime } from '../scan.ts'
import { snakeCase } from '../sql-text.ts'
import { type Filter, restriction, weightOf } from './filter.ts'
import { byAnyIndex, byOrder } from './index-range.ts'
import { hasOneDirection, type SortKey } from './order.ts'
import type { ReadModel } from './read-model.ts'
import type { SqlBuilder } from './sql-builder.ts'

/** The weight of a filter that is slow to test on a row: that of a search in text, or of as many comparisons. */
const weightOfSearch = 5

export interface Rows {
  entity: ReadModel
  filter: Filter
  order: readonly SortKey[]
}

/**
 * Whether an index returns the first rows without visiting others: all rows, in the order of the index, from either
 * end.
 */
export function isIndexed({ entity, filter, order }: Rows): boolean {
  const isAll = filter.kind === 'and' && filter.parts.length === 0
  return isAll && (isByKey(entity, order) || (hasOneDirection(order) && hasIndex(entity, order)))
}

/** Whether the order names only members of the key, by which rows are stored. */
export function isByKey({ key }: ReadModel, order: readonly SortKey[]): boolean {
  return order.every(
    ({ path, field }) => path.length === 0 && key.some(({ column }) => column === field.column),
  )
}

function hasIndex({ indexes, key }: ReadModel, order: readonly SortKey[]): boolean {
  const columns = order.map(({ field }) => field.column)
  return indexes.some((names) => {
    const indexed = [...names.map(snakeCase), ...key.map(({ column }) => column)]
    return columns.length === indexed.length && columns.every((column, index) => column === indexed[index])
  })
}

/** The SQL condition of the filter; with a time limit if no index bounds the read. */
export function guarded(rows: Rows, alias: string, builder: SqlBuilder): RawBuilder<SqlBool> {
  const matching = restriction(rows.filter, alias, builder, byOrder(rows.order))
  if (isIndexed(rows)) return matching
  return withinTime(builder.dialect, tested(rows.entity, alias), matching, rowsPerCheck(rows.filter))
}

/** The SQL condition of the filter, with a time limit, for a read that visits every matching row, such as a count. */
export function visitingAll(
  { entity, filter }: Omit<Rows, 'order'>,
  alias: string,
  builder: SqlBuilder,
): RawBuilder<SqlBool> {
  const matching = restriction(filter, alias, builder, byAnyIndex)
  return withinTime(builder.dialect, tested(entity, alias), matching, rowsPerCheck(filter))
}

/** A column of the table, so that SQLite evaluates the check for each row. */
function tested({ isOfInstallation, key: [key] }: ReadModel, alias: string): string {
  return `${alias}.${isOfInstallation === true && key !== undefined ? key.column : 'tenant_id'}`
}

/** Comparing a few members of a row takes less than a check; searching in a long text takes far more. */
function rowsPerCheck(filter: Filter): number {
  return weightOf(filter, Number.POSITIVE_INFINITY) < weightOfSearch ? 64 : 16
}

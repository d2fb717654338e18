/** Restricts rows to those between two positions of an order, for pages. */
import type { RawBuilder, SqlBool } from 'kysely'
import { type Filter, filterShape } from './filter.ts'
import {
  type KeysetPosition,
  keysetPredicate,
  keysetShape,
  orderShape,
  reversed,
  type SortKey,
} from './order.ts'
import type { SqlBuilder } from './sql-builder.ts'
import type { StatementValues } from './values.ts'

export interface RowRange {
  filter: Filter
  order: readonly SortKey[]
  after: KeysetPosition | null
  before: KeysetPosition | null
}

/** Adds the values of the range to those of the statement. @returns its shape: ranges of one shape have the same SQL */
export function rangeShape({ filter, order, after, before }: RowRange, values: StatementValues): string {
  const parts = [filterShape(filter, values), orderShape(order)]
  parts.push(after === null ? '' : keysetShape(order, after, values))
  parts.push(before === null ? '' : keysetShape(reversed(order), before, values))
  return parts.join('|')
}

/** @returns the conditions that rows are between the positions */
export function between(
  { order, after, before }: Omit<RowRange, 'filter'>,
  alias: string,
  builder: SqlBuilder,
): RawBuilder<SqlBool>[] {
  const all: RawBuilder<SqlBool>[] = []
  if (after !== null) all.push(keysetPredicate(order, after, alias, builder))
  if (before !== null) all.push(keysetPredicate(reversed(order), before, alias, builder))
  return all
}

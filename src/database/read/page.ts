/**
 * The rows of a page: found first, and rendered only then. Rendering looks up what relations lead to, and what a limit
 * leaves out is not worth that.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { guarded, type Rows } from './indexed.ts'
import { renderBounded } from './measure.ts'
import { keyValue, orderBy } from './order.ts'
import { columnsOf, joinRows } from './render.ts'
import type { Selection } from './selection.ts'
import type { AnyQuery, SqlBuilder } from './sql-builder.ts'

export interface PageQueryParts {
  query: AnyQuery
  /** A row by each of the selections; NULL for one that is too large. */
  texts: RawBuilder<string | null>[]
  /** The values of the keys of the order. */
  keys: RawBuilder<unknown>[]
  /** What the rows are still to be sorted by. SQLite keeps the order of a limited subquery, PostgreSQL promises none. */
  sorted: RawBuilder<unknown> | null
}

interface PageParts {
  selections: readonly Selection[]
  /** Whether `keys` are wanted. */
  withKeys: boolean
  /** Further conditions on the rows, which are called by the alias. */
  conditions: (alias: string) => RawBuilder<SqlBool>[]
}

/** Takes the places of the filter, of the conditions and of the limit. */
export function buildPage(
  builder: SqlBuilder,
  rows: Rows,
  { selections, withKeys, conditions }: PageParts,
): PageQueryParts {
  const { entity, order } = rows
  const isSorted = builder.dialect === 'postgres'
  const { query, alias } = builder.rows(entity)
  const selection = selections.flat()
  const names = new Set([...entity.key.map(({ column }) => column), ...columnsOf(selection)])
  const columns = [...names].map((name) => sql.ref(`${alias}.${name}`).as(name))
  const values =
    withKeys || isSorted ? order.map((key, index) => keyValue(key, alias, builder).as(`k${index}`)) : []
  const found = [guarded(rows, alias, builder), ...conditions(alias)]
    .reduce((all, condition) => all.where(condition), query)
    .select([...columns, ...values])
    .orderBy(orderBy(order, (key) => keyValue(key, alias, builder), builder))
    .limit(builder.place<number>())
  const page = builder.from(found)
  const { query: withRows, joined } = joinRows(page.query, selection, page.alias, builder)
  const keyOf = (index: number) => sql.ref(`${page.alias}.k${index}`)
  return {
    query: withRows,
    texts: selections.map((each) => renderBounded(each, page.alias, builder, joined)),
    keys: values.map((_value, index) => keyOf(index)),
    sorted: isSorted ? orderBy(order, (_key, index) => keyOf(index), builder) : null,
  }
}

/**
 * Builds the query of a page. It finds the rows of the page first and renders only these: rendering looks up related
 * rows, which would be wasted on rows beyond the limit.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { guarded, type Rows } from './indexed.ts'
import { renderBounded } from './measure.ts'
import { keyValue, orderBy } from './order.ts'
import { joinRelatedRows } from './render.ts'
import { columnsOf, type Selection } from './selection.ts'
import type { AnyQuery, SqlBuilder } from './sql-builder.ts'

export interface PageQueryParts {
  query: AnyQuery
  /** The JSON text of the row, once for each selection; NULL if it is too large. */
  texts: RawBuilder<string | null>[]
  /** The values of the sort keys. */
  keys: RawBuilder<unknown>[]
  /** The ORDER BY that the outer query needs; `null` on SQLite, which keeps the order of a limited subquery. */
  sorted: RawBuilder<unknown> | null
}

interface PageParts {
  selections: readonly Selection[]
  /** Whether to return the values of the sort keys. */
  withKeys: boolean
  /** Further conditions on the rows with the alias. */
  conditions: (alias: string) => RawBuilder<SqlBool>[]
}

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
    .limit(builder.limit())
  const page = builder.from(found)
  const { query: withRows, joined } = joinRelatedRows(page.query, selection, page.alias, builder)
  const keyOf = (index: number) => sql.ref(`${page.alias}.k${index}`)
  return {
    query: withRows,
    texts: selections.map((each) => renderBounded(each, page.alias, builder, joined)),
    keys: values.map((_value, index) => keyOf(index)),
    sorted: isSorted ? orderBy(order, (_key, index) => keyOf(index), builder) : null,
  }
}

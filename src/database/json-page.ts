/** Pages that the database renders as JSON text: a list needs neither row objects nor serialisation. */
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './executor.ts'

export interface JsonPage {
  /** The objects, joined by commas, without brackets; `null` for no rows. */
  json: string | null
  count: number
  lastId: string | null
  /** The page has fewer rows than requested, although more follow. */
  isCut?: boolean
  /** Whether rows follow the last one; absent if that is not known. */
  hasMore?: boolean
}

/** Sorts before every id. */
export const beforeAllIds = '00000000-0000-0000-0000-000000000000'

/** Selects a page from a limited subquery with `id` and `json` of each row, ordered by id. */
export function pageColumns(dialect: Dialect) {
  // SQLite keeps the order of a limited subquery. Sorting the texts again would double its work.
  const order = dialect === 'sqlite' ? sql`` : sql` order by id`
  return [
    sql<string | null>`string_agg(json, ','${order})`.as('json'),
    sql<number>`count(*)`.as('count'),
    sql<string | null>`max(cast(id as text))`.as('lastId'),
  ] as const
}

/**
 * Likewise on PostgreSQL from a subquery of one row more, which tells whether rows follow the page: a round trip less.
 * On SQLite a second statement takes less time than to number the rows.
 * @param place the number of each row in the subquery, from 1
 */
export function pageColumnsWithNext(place: RawBuilder<unknown>, limit: RawBuilder<number>) {
  const isOfPage = sql`filter (where ${place} <= ${limit})`
  return [
    sql<string | null>`string_agg(json, ',' order by id) ${isOfPage}`.as('json'),
    sql<number>`count(*) ${isOfPage}`.as('count'),
    sql<string | null>`max(cast(id as text)) ${isOfPage}`.as('lastId'),
    sql<boolean>`coalesce(bool_or(${place} > ${limit}), false)`.as('hasMore'),
  ] as const
}

/** A page of rows that were read as objects. */
export function rowPage(rows: readonly { id: string }[]): JsonPage {
  const json = rows.length === 0 ? null : rows.map((row) => JSON.stringify(row)).join(',')
  return { json, count: rows.length, lastId: rows.at(-1)?.id ?? null }
}

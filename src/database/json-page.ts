/** Pages that the database renders as JSON text: a list needs neither row objects nor serialisation. */
import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './executor.ts'

export interface JsonPage {
  /** The objects, joined by commas, without brackets; `null` for no rows. */
  json: string | null
  count: number
  lastId: string | null
  /** Whether the page has fewer rows than requested although more follow. */
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
 * Selects a page on PostgreSQL from a subquery that has one row more, which tells whether rows follow the page. Rows
 * with objects within need it: their text does not show where the last row begins.
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

/** The text with which each row begins. Nothing else matches it: quotes in texts are escaped, and rows are flat. */
const beginOfRow = '{"id":"'

/**
 * Makes a page from the text of its rows and one more, which tells whether rows follow the page.
 * @param json the rows, joined by commas, each a flat object that begins with its id; `null` for none
 * @param count the number of rows in the text
 * @param limit the maximum of rows in the page
 */
export function pageOfText(json: string | null, count: number, limit: number): JsonPage {
  if (json === null) return { json, count, lastId: null, hasMore: false }
  const hasMore = count > limit
  const page = hasMore ? json.slice(0, json.lastIndexOf(beginOfRow) - 1) : json
  const idAt = page.lastIndexOf(beginOfRow) + beginOfRow.length
  return {
    json: page,
    count: count - Number(hasMore),
    lastId: page.slice(idAt, page.indexOf('"', idAt)),
    hasMore,
  }
}

/** A page of rows that were read as objects. */
export function rowPage(rows: readonly { id: string }[]): JsonPage {
  const json = rows.length === 0 ? null : rows.map((row) => JSON.stringify(row)).join(',')
  return { json, count: rows.length, lastId: rows.at(-1)?.id ?? null }
}

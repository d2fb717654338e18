/** Rows that leave the database as JSON text: a list costs neither row objects nor a second serialisation. */
import { sql } from 'kysely'
import type { Dialect } from './executor.ts'

export interface JsonPage {
  /** The objects, joined by commas, without brackets; `null` for no rows. */
  json: string | null
  count: number
  lastId: string | null
  /** It has fewer rows than were asked for, and there are more. */
  isCut?: boolean
}

/** Sorts before every id. */
export const beforeAllIds = '00000000-0000-0000-0000-000000000000'

/** Selects a page from a limited subquery that gives `id` and `json` of each row, in the order of the ids. */
export function pageColumns(dialect: Dialect) {
  // SQLite keeps the order of a limited subquery, and sorting the texts once more is half of its work.
  const order = dialect === 'sqlite' ? sql`` : sql` order by id`
  return [
    sql<string | null>`string_agg(json, ','${order})`.as('json'),
    sql<number>`count(*)`.as('count'),
    sql<string | null>`max(cast(id as text))`.as('lastId'),
  ] as const
}

/** The same for rows that had to be made into objects first. */
export function rowPage(rows: readonly { id: string }[]): JsonPage {
  const json = rows.length === 0 ? null : rows.map((row) => JSON.stringify(row)).join(',')
  return { json, count: rows.length, lastId: rows.at(-1)?.id ?? null }
}

/** Reads the rows that match a search best, for example by their name rather than by any text. */
import { sql } from 'kysely'
import type { TenantData } from '../data.ts'
import { scanAll } from '../scan.ts'
import { type Filter, filterShape, restriction } from './filter.ts'
import { visitingAll } from './indexed.ts'
import { unlimited } from './measure.ts'
import type { ReadModel } from './read-model.ts'
import { statementOf } from './statement.ts'
import { StatementValues } from './values.ts'

export interface RankedRequest {
  entity: ReadModel
  filter: Filter
  /**
   * The best match comes first. The rank of a row is the index of the first filter that it matches, else the number
   * of filters.
   */
  ranks: readonly Filter[]
  limit: number
}

export interface RankedRow {
  id: string
  rank: number
}

/** @returns the best rows first, and the newest first among rows of equal rank */
export function readRanked(
  data: TenantData,
  { entity, filter, ranks, limit }: RankedRequest,
  { time } = unlimited,
): Promise<RankedRow[]> {
  const values = new StatementValues()
  const shapes = [filter, ...ranks].map((each) => filterShape(each, values))
  const statement = statementOf<RankedRow>(
    data,
    `ranked|${shapes.join('|')}`,
    { entity, values, limit, names: { filter: { kind: 'and', parts: [filter, ...ranks] } } },
    (builder) => {
      const { query, alias } = builder.rows(entity)
      const cases = ranks.map(
        (each, place) => sql`when ${restriction(each, alias, builder)} then ${sql.lit(place)}`,
      )
      const rank = sql<number>`case ${sql.join(cases, sql` `)} else ${sql.lit(ranks.length)} end`
      const matching = query
        .where(visitingAll({ entity, filter }, alias, builder))
        .select([sql<string>`${sql.ref(`${alias}.id`)}`.as('id'), rank.as('rank')])
      return matching.orderBy(sql`rank, id desc`).limit(builder.limit())
    },
  )
  return scanAll(data, statement.prepared, { ...statement, time })
}

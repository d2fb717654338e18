import { sql } from 'kysely'
import type { TenantData } from '../data.ts'
import type { TimeAllowance } from '../executor.ts'
import { scanAll } from '../scan.ts'
import { everything, type Filter, filterShape } from './filter.ts'
import { visitingAll } from './indexed.ts'
import { unlimited } from './measure.ts'
import type { ReadModel } from './read-model.ts'
import { statementOf } from './statement.ts'
import { StatementValues } from './values.ts'

interface Bounds {
  limit: number
  filter?: Filter
  time?: TimeAllowance
}

/** Counts the matching rows that the caller may read, and stops at a limit. */
export async function countUpTo(
  data: TenantData,
  entity: ReadModel,
  { limit, filter = everything, time = unlimited.time }: Bounds,
): Promise<number> {
  const values = new StatementValues()
  const shape = filterShape(filter, values)
  const statement = statementOf<{ count: number }>(
    data,
    `capped|${shape}`,
    { entity, values, limit, names: { filter } },
    (builder) => {
      const { query, alias } = builder.rows(entity)
      const some = query
        .where(visitingAll({ entity, filter }, alias, builder))
        .select(sql<number>`1`.as('one'))
        .limit(builder.limit())
      return builder.from(some).query.select(sql<number>`count(*)`.as('count'))
    },
  )
  const [row] = await scanAll(data, statement.prepared, { ...statement, time })
  return row?.count ?? 0
}

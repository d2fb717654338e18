/** Counts the rows of each day. */
import { sql } from 'kysely'
import type { TenantData } from '../data.ts'
import type { TimeAllowance } from '../executor.ts'
import { readGroups } from './aggregate.ts'
import type { Filter } from './filter.ts'
import { columnField, type Derivation, type ReadField, type ReadModel } from './read-model.ts'

const dayOfCreation: Derivation = {
  columns: ['created_at'],
  value: (column, dialect) =>
    dialect === 'sqlite'
      ? sql`substr(${column('created_at')}, 1, 10)`
      : sql`to_char(${column('created_at')} at time zone 'UTC', 'YYYY-MM-DD')`,
}
/** No member of a row can have this name, which tells the statement from others. */
const name = 'created_at by day'
const createdOn: ReadField = { ...columnField('created_at', 'text', name), derived: dayOfCreation }
/** The days that are read at most, the earliest first. */
const maxDays = 100

interface DailyRequest {
  filter: Filter
  time: TimeAllowance
}

/**
 * @returns the number of matching rows that were created on each day in UTC, such as `2026-01-31`, without days that
 * have none
 */
export async function countByDay(
  data: TenantData,
  entity: ReadModel,
  { filter, time }: DailyRequest,
): Promise<Map<string, number>> {
  const request = { entity, filter, groupBy: [createdOn], values: [], order: [], limit: maxDays }
  const days = await readGroups(data, request, { time, take: () => undefined })
  return new Map(days.map(({ keys: [day = ''], count }) => [JSON.parse(day) as string, count])) // a text
}

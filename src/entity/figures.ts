/** How many rows there are, and how many were created on each day. */
import { sql } from 'kysely'
import type { Context } from '../core/context.ts'
import type { Figures, FiguresRequest } from '../core/feature/browsed.ts'
import { inTimeOrNull } from '../core/limits/part-of-time.ts'
import { type Group, readGroups } from '../database/read/aggregate.ts'
import { countUpTo } from '../database/read/capped.ts'
import { comparing } from '../database/read/conditions.ts'
import { columnField, type Derivation, type ReadField } from '../database/read/read-model.ts'
import type { EntityParts } from './parts.ts'

const dayOfCreation: Derivation = {
  columns: ['created_at'],
  value: (column, dialect) =>
    dialect === 'sqlite'
      ? sql`substr(${column('created_at')}, 1, 10)`
      : sql`to_char(${column('created_at')} at time zone 'UTC', 'YYYY-MM-DD')`,
}
const createdOn: ReadField = { ...columnField('created_at', 'text', 'createdOn'), derived: dayOfCreation }
const maxDays = 100

export async function figuresOf(
  { data }: Context,
  { maxCounted, since, time }: FiguresRequest,
  { model }: Pick<EntityParts, 'model'>,
): Promise<Figures> {
  const budget = { time, take: () => undefined }
  const filter = comparing(model, 'createdAt', 'gte', since)
  const byDay = { entity: model, filter, groupBy: [createdOn], values: [], order: [], limit: maxDays }
  const [count, days] = await Promise.all([
    countUpTo(data, model, { limit: maxCounted + 1, time }),
    inTimeOrNull(() => readGroups(data, byDay, budget)),
  ])
  return {
    count: Math.min(count, maxCounted),
    isCapped: count > maxCounted,
    created: days === null ? null : new Map(days.map(dated)),
  }
}

function dated({ keys: [day = ''], count }: Group): [day: string, count: number] {
  return [JSON.parse(day) as string, count] // a text
}

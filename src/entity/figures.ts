/** How many rows there are, and how many were created on each day. */
import type { Context } from '../core/context.ts'
import type { FiguresRequest, RowFigures } from '../core/feature/browsed.ts'
import { inTimeOrNull } from '../core/limits/part-of-time.ts'
import { countUpTo } from '../database/read/capped.ts'
import { comparing } from '../database/read/conditions.ts'
import { countByDay } from '../database/read/daily.ts'
import type { EntityParts } from './parts.ts'

export async function figuresOf(
  { data }: Context,
  { maxCounted, since, time }: FiguresRequest,
  { model }: Pick<EntityParts, 'model'>,
): Promise<RowFigures> {
  const filter = comparing(model, 'createdAt', 'gte', since)
  const [count, created] = await Promise.all([
    countUpTo(data, model, { limit: maxCounted + 1, time }),
    inTimeOrNull(() => countByDay(data, model, { filter, time })),
  ])
  return { count: Math.min(count, maxCounted), isCapped: count > maxCounted, created }
}

/** Counts the rows of an entity and those created on each day, and reads the figure that the definition names. */
import type { Context } from '../core/context.ts'
import type { FiguresRequest, RowFigures } from '../core/feature/browsed.ts'
import { inTimeOrNull } from '../core/limits/part-of-time.ts'
import { countUpTo } from '../database/read/capped.ts'
import { comparing } from '../database/read/conditions.ts'
import { countByDay } from '../database/read/daily.ts'
import { readFigure } from './console/figure.ts'
import type { EntityParts } from './parts.ts'

export async function figuresOf(
  context: Context,
  { maxCounted, since, time }: FiguresRequest,
  { model, hints }: Pick<EntityParts, 'model' | 'hints'>,
): Promise<RowFigures> {
  const { data } = context
  const { figure: declared } = hints
  const filter = comparing(model, 'createdAt', 'gte', since)
  const [count, created, figure] = await Promise.all([
    countUpTo(data, model, { limit: maxCounted + 1, time }),
    inTimeOrNull(() => countByDay(data, model, { filter, time })),
    declared === null ? null : inTimeOrNull(() => readFigure(context, declared, { model, time })),
  ])
  return { count: Math.min(count, maxCounted), isCapped: count > maxCounted, created, figure }
}

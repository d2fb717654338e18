/** The figures of all entities that the caller lists. */
import type { Static } from 'typebox'
import type { Context } from '../../core/context.ts'
import { type BrowsedRows, listedBy, type RowFigures } from '../../core/feature/browsed.ts'
import type { CallerTime } from '../../core/limits/caller-time.ts'
import { inTimeOrNull, PartOfTime } from '../../core/limits/part-of-time.ts'
import { eachBeside } from '../search/each-beside.ts'
import { dayCount, type Home, maxCounted } from './schema.ts'

type Entities = Pick<Static<typeof Home>, 'days' | 'entities' | 'leftOut'>

const maxMsOfEntity = 200
const dayMs = 24 * 60 * 60 * 1000

export async function entityFigures(
  context: Context,
  sources: readonly BrowsedRows[],
  time: CallerTime,
): Promise<Entities> {
  const today = Date.parse(dayOf(context.shared.clock().getTime()))
  // Twice as many days as are shown, because the figures are compared with those of the days before.
  const days = Array.from({ length: 2 * dayCount }, (_, ago) => dayOf(today - ago * dayMs)).toReversed()
  const since = `${days[0]}T00:00:00.000Z`
  const listed = listedBy(context, sources)
  const read = await eachBeside(listed, (rows) =>
    inTimeOrNull(() =>
      rows.figures(context, { maxCounted, since, time: new PartOfTime(time, maxMsOfEntity) }),
    ),
  )
  return {
    days: days.slice(dayCount),
    entities: listed.flatMap(({ name }, index) => {
      const figures = read[index] ?? null
      return figures === null ? [] : [shown(name, figures, days)]
    }),
    leftOut: listed.flatMap(({ name }, index) => (read[index] === null ? [name] : [])),
  }
}

function shown(entity: string, { count, isCapped, created, figure }: RowFigures, days: readonly string[]) {
  if (created === null) return { entity, count, isCapped, created, change: null, figure }
  const byDay = days.map((day) => created.get(day) ?? 0)
  const [before, now] = [byDay.slice(0, dayCount), byDay.slice(dayCount)]
  return { entity, count, isCapped, created: now, change: sum(now) - sum(before), figure }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

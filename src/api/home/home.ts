/** Reads what the console's home page shows: figures, waiting work, the caller's last changes, and set-up steps. */
import type { Static } from 'typebox'
import { type Context, hostTenantId } from '../../core/context.ts'
import type { BrowsedRows, HomePart, Need, Step } from '../../core/feature/browsed.ts'
import { CallerTime } from '../../core/limits/caller-time.ts'
import { inTimeOrNull } from '../../core/limits/part-of-time.ts'
import { hasAccess } from '../../core/permission.ts'
import { eachBeside } from '../search/each-beside.ts'
import { entityFigures } from './figures.ts'
import { recentRows } from './recent.ts'
import { type Home, maxNeeds } from './schema.ts'

type HomePage = Static<typeof Home>

export interface HomeSources {
  rows: readonly BrowsedRows[]
  homes: readonly HomePart[]
}

/** @throws ServiceError `tooManyRequests` */
export async function readHome(context: Context, { rows, homes }: HomeSources): Promise<HomePage> {
  const time = new CallerTime(context)
  const may = ({ access, isOfHost }: Need | Step) =>
    (isOfHost !== true || context.tenant.id === hostTenantId) && hasAccess(context.actor?.permissions, access)
  const needs = homes.flatMap((part) => part.needs ?? []).filter(may)
  const steps = homes.flatMap((part) => part.steps ?? []).filter(may)
  const [figures, counts, recent, states] = await Promise.all([
    entityFigures(context, rows, time),
    eachBeside(needs, (need) => inTimeOrNull(() => need.count(context, { limit: maxNeeds + 1, time }))),
    recentRows(context, rows),
    eachBeside(steps, (step) => inTimeOrNull(() => step.isDone(context, time))),
  ])
  const hasRows = figures.entities.some(({ count }) => count > 0)
  return {
    ...figures,
    needsYou: needs.flatMap(({ kind }, index) => {
      const count = counts[index] ?? 0
      return count === 0 ? [] : [{ kind, count: Math.min(count, maxNeeds), isCapped: count > maxNeeds }]
    }),
    recent,
    steps: [
      { kind: 'firstRow', isDone: hasRows, isOfHost: false },
      ...steps.flatMap(({ kind, isOfHost = false }, index) => {
        const isDone = states[index] ?? null
        return isDone === null ? [] : [{ kind, isDone, isOfHost }]
      }),
    ],
  }
}

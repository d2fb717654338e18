/** Behind the switch: clears the source, or leaves it where nobody else uses it. */
import { setTimeout as delay } from 'node:timers/promises'
import { inCatalogue } from '../../core/transaction.ts'
import { deleteMove } from '../../tenancy/relocation/sql.ts'
import { heardWithinMs } from './drain-deliveries.ts'
import { isShared, type Plan, whatGoes } from './plan.ts'
import { removePlace } from './rows/log.ts'
import { isSharedWithOthers, removeRows } from './rows/target.ts'

/** Requests that have read there from before the switch are over by then. */
const usualRemoveAfterMs = 60_000

/** @returns the place that is left with the rows of the tenant; `null` when they were removed */
export async function finish(plan: Plan): Promise<string | null> {
  const { context, source, target, shapes, tenant, row, key, options } = plan
  await target.database.transaction((transaction) => removePlace(transaction, tenant.id))
  const isLeft = !isShared(row.source) && !(await isSharedWithOthers(source.database, shapes, tenant.id))
  if (!isLeft) {
    await options.reached?.('removing')
    const sinceMs = context.shared.clock().getTime() - Date.parse(row.switched_at ?? row.started_at)
    const keptMs = Math.max(heardWithinMs, options.removeAfterMs ?? usualRemoveAfterMs)
    await delay(Math.max(0, keptMs - sinceMs))
    await removeRows(source.database, { tenant: tenant.id, shapes, only: whatGoes(row.source, false) })
  }
  await inCatalogue(context, (inside) => deleteMove(inside.catalogue, key))
  return isLeft ? source.name : null
}

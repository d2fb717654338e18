/** Ends a move: finishes it after the switch, or abandons it before. */

import { setTimeout as delay } from 'node:timers/promises'
import type { Context, DedicatedDatabase, Tenant } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { registry, tenantChange } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { DatabaseUnavailable } from '../../database/executor.ts'
import { deleteMove, type MoveRow, updateMove, updateTenantRow } from '../../tenancy/sql.ts'
import { removeCapture } from '../rows/capture.ts'
import { deleteChangeBatch, isFenced, removeCopyPosition } from '../rows/move-state.ts'
import { hasOtherTenants, removeRows } from '../rows/target.ts'
import { openStored } from '../tenant-database.ts'
import { isShared, type Plan, rowsLeftBehind, rowsOfCopy, tablesOfTenants } from './plan.ts'

/** Removes everything that the move has created in the target and the source. @throws ServiceError `conflict` */
export async function abandon(context: Context, tenant: Tenant, row: MoveRow): Promise<void> {
  await using source = await openStored(context, row.source, { tenantId: tenant.id })
  const isSwitched = row.phase === 'SWITCHED' || (await isFenced(source.database.executor, tenant.id))
  if (isSwitched)
    throw new ServiceError('conflict', 'The tenant is already switched. Run the move again to finish it.')
  await markAbandoned(context, row)
  await removeCapture(source.database, tenant.id)
  while ((await deleteChangeBatch(source.database, tenant.id)) > 0);
  await clearTarget(context, tenant, row, source)
  await inCatalogue(context, (inside) => deleteMove(registry(inside), row.tenant_key))
}

/** To be called before anything else is undone: the copy then stops following the source, and cannot be resumed. */
async function markAbandoned(context: Context, { tenant_key: key }: MoveRow): Promise<void> {
  await inCatalogue(context, async (inside) => {
    await updateMove(registry(inside), key, { phase: 'ABANDONED' })
    await updateTenantRow(registry(inside), key, { paused_until: null })
    await inside.transaction?.announce(tenantChange(key))
  })
}

/** A lost target does not prevent abandoning the move. */
async function clearTarget(
  context: Context,
  tenant: Tenant,
  row: MoveRow,
  source: DedicatedDatabase,
): Promise<void> {
  let target: DedicatedDatabase | null = null
  try {
    target = await openStored(context, row.target, { as: 'existing' })
    const shapes = await tablesOfTenants({ row, source, target })
    await removeRows(target.database, { tenant: tenant.id, shapes, only: rowsOfCopy(row.target) })
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    context.shared.log.warn({ err: error, tenantId: tenant.id }, 'copy of a tenant not removed')
  } finally {
    await target?.database.close()
  }
}

/** By then, requests that read the source before the switch have ended. */
const defaultRemoveAfterMs = 60_000

/** @returns the database in which the rows of the tenant are left; `null` when they were removed */
export async function finish(plan: Plan): Promise<string | null> {
  const { context, source, target, shapes, tenant, row, key, options } = plan
  await target.database.transaction((transaction) => removeCopyPosition(transaction, tenant.id))
  const isLeft = !isShared(row.source) && !(await hasOtherTenants(source.database, shapes, tenant.id))
  if (!isLeft) {
    await options.reached?.('removing')
    const sinceMs = context.shared.clock().getTime() - Date.parse(row.switched_at ?? row.started_at)
    const keptMs = Math.max(context.shared.changePropagationMs, options.removeAfterMs ?? defaultRemoveAfterMs)
    await delay(Math.max(0, keptMs - sinceMs), undefined, options.signal && { signal: options.signal })
    await removeRows(source.database, { tenant: tenant.id, shapes, only: rowsLeftBehind(row.source) })
  }
  await inCatalogue(context, (inside) => deleteMove(registry(inside), key))
  return isLeft ? source.name : null
}

/** The switch: after it the tenant is served from its new database. */
import { setTimeout as delay } from 'node:timers/promises'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, type DedicatedDatabase, now } from '../../core/context.ts'
import { transactionContext } from '../../core/create-context.ts'
import { ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { listUndispatched, markForDispatch } from '../../core/events/undispatched.ts'
import { registry, tenantChange } from '../../core/tenant/directory.ts'
import { lockTenant } from '../../core/tenant/sql.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { TenantData } from '../../database/data.ts'
import { DatabaseUnavailable, type Executor, type Transaction } from '../../database/executor.ts'
import { defaultLockWaitMs } from '../../database/sqlite/group-commit-writer.ts'
import { assignDatabase, findConnectionString, updateMove, updateTenantRow } from '../../tenancy/sql.ts'
import { CopyDiffers, compareRows, describeKeys } from '../rows/compare.ts'
import { holdWrites } from '../rows/lock.ts'
import { isFenced, readChanges, setFence } from '../rows/move-state.ts'
import { keyOf, readRows } from '../rows/rows.ts'
import { applyChanges, type Change } from '../rows/transfer.ts'
import { catchUp } from './copy.ts'
import { drainDeliveries, pauseDeliveries } from './drain-deliveries.ts'
import { isShared, type Plan } from './plan.ts'

/** The limit of the wait for the lock, and of the work under it, so that writes wait for less than a second. */
const holdMs = 400
const maxAttempts = 20
const retryMs = 1000

/** @throws ServiceError `unavailable` when no attempt held writes for less than a second */
export async function switchOver(plan: Plan): Promise<void> {
  try {
    for (let tries = 1; ; tries++) {
      await drainDeliveries(plan)
      await catchUp(plan)
      if (await tryToSwitch(plan)) break
      if (tries === maxAttempts) throw tooBusy()
      await delay(retryMs)
    }
  } catch (error) {
    await pauseDeliveries(plan, null).catch(() => undefined) // the pause ends by itself
    throw error
  }
  if (!isShared(plan.row.source)) await finishSwitch(plan)
}

/** Called after the fence in a tenant's own database is set: the tenant's writes are refused until this is done. */
export async function finishSwitch(plan: Plan): Promise<void> {
  const { context, source, tenant, row, options } = plan
  await options.reached?.('fenced')
  const data = new TenantData(tenant.id, source.database.executor)
  const waiting = isShared(row.target) ? await listUndispatched(data) : []
  for (let tries = 1; ; tries++) {
    try {
      return await inCatalogue(context, (inside) => recordSwitch(plan, inside, waiting))
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || tries === maxAttempts) throw error
      await delay(retryMs)
    }
  }
}

/** @param waiting events that are not dispatched @throws ServiceError `conflict` */
async function recordSwitch(plan: Plan, inside: Context, waiting: readonly string[]): Promise<void> {
  const { key, tenant, row } = plan
  const before = await lockTenant(registry(inside), key)
  const connection = await findConnectionString(registry(inside), key)
  if (before === null || !isSameBytes(connection, row.source))
    throw new ServiceError('conflict', 'The tenant was assigned another database in the meantime.')
  await updateTenantRow(registry(inside), key, {
    connection_string: row.target,
    paused_until: null,
    version: before.version + 1,
  })
  await assignDatabase(registry(inside), key, plan.target.identity)
  await updateMove(registry(inside), key, { phase: 'SWITCHED', switched_at: now(inside) })
  if (inside.transaction === null) throw new Error('A switch was recorded outside a transaction.')
  if (waiting.length > 0) await markForDispatch(new TenantData(tenant.id, inside.transaction), waiting)
  await publish(inside, 'tenant.updated', { tenantId: tenant.id, name: tenant.name }, tenant.id)
  await recordAudit(inside, {
    action: 'tenant.moved',
    tenantId: tenant.id,
    subjectType: 'tenant',
    subjectId: tenant.id,
    detail: { from: kindOf(plan.row.source, plan.source), to: kindOf(plan.row.target, plan.target) },
  })
  await inside.transaction.announce(tenantChange(key))
}

function kindOf(connection: Uint8Array | null, { database }: DedicatedDatabase): string {
  return isShared(connection) ? 'shared' : database.dialect
}

function isSameBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0
}

/** @returns `false` when it has to be retried */
async function tryToSwitch(plan: Plan): Promise<boolean> {
  const databases = [plan.source.database, plan.target.database]
  // Marked now, because the mark has to exist when the tenant is served from its own database.
  if (!isShared(plan.row.target)) await plan.context.shared.markPendingTenant(plan.tenant.id)
  for (const database of databases) database.setLockWait?.(holdMs / 2)
  try {
    await setFenceWhenInSync(plan)
    return true
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return false
    throw error
  } finally {
    for (const database of databases) database.setLockWait?.(defaultLockWaitMs)
  }
}

async function setFenceWhenInSync(plan: Plan): Promise<void> {
  const { source, tenant, shapes, transfer, context, row } = plan
  // An earlier attempt may have committed although its acknowledgement was lost.
  if (await isFenced(source.database.executor, tenant.id)) return
  await holdWrites(source.database, tenant.id, holdMs, async (held, check) => {
    const changes = await readChanges(held, shapes, tenant.id)
    const applied = await applyChanges(transfer, held, changes, { table: null, after: null })
    await verifyChanges(plan, applied)
    check()
    await setFence(held, tenant.id, context.shared.clock().toISOString())
    if (isShared(row.source)) await recordSwitch(plan, withinCatalogue(context, held), [])
  })
}

/** The transaction is in the shared database, on another handle than that of the service. */
function withinCatalogue(context: Context, transaction: Transaction): Context {
  return transactionContext(context, context.shared.catalogueDatabase, transaction)
}

function tooBusy(): ServiceError {
  return new ServiceError('unavailable', 'Writes could not be held for less than a second. Try again later.')
}

async function verifyChanges(plan: Plan, changes: readonly Change[]): Promise<void> {
  const { target, tenant, common: shared, ignored } = plan
  const to: Executor = target.database.executor
  for (const { shape, rows, gone } of changes) {
    const differing = await compareRows(to, shape, rows, { tenant: tenant.id, shared, ignored })
    if (differing.length > 0) throw new CopyDiffers([describeKeys(shape, differing)])
    const remaining = await readRows(to, shape, tenant.id, gone)
    if (remaining.length > 0)
      throw new CopyDiffers([
        describeKeys(
          shape,
          remaining.map((row) => keyOf(shape, row)),
        ),
      ])
  }
}

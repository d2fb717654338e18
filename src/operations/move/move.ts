/** Moves a tenant's rows to another database while it is served. Run again after a crash it goes on. */
import { type Context, now, type Tenant } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Job } from '../../core/feature/feature.ts'
import { newId } from '../../core/id.ts'
import { foldTenantId } from '../../core/tenant/directory.ts'
import { lockTenant } from '../../core/tenant/sql.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { isSameTarget, targetName } from '../../database/same-target.ts'
import type { DatabaseTarget } from '../../database/target.ts'
import {
  findConnectionString,
  findMove,
  insertMove,
  type MoveRow,
  tenantsBeforeSwitch,
} from '../../tenancy/sql.ts'
import { refuseWhileErased } from '../../tenancy/under-way.ts'
import { isFenced } from '../rows/move-state.ts'
import { encryptTarget, openStored, parseTarget, storedTarget } from '../tenant-database.ts'
import { withTenantLock } from '../tenant-lock.ts'
import { beginCopy, copyAll, verify } from './copy.ts'
import { abandon, finish } from './end.ts'
import { type MoveOptions, makePlan, type Plan } from './plan.ts'
import { finishSwitch, switchOver } from './switch.ts'

/**
 * @param to a connection string, or `null` for the shared database
 * @returns the place that is left with the rows as they were; `null` when they were removed
 * @throws ServiceError `notFound`, `invalid` for a place that is not accepted, `conflict` while another move of the
 *   tenant is under way, `unavailable` when the tenant is too busy to be switched; CopyDiffers; DatabaseUnavailable
 */
export async function moveTenant(
  context: Context,
  id: string,
  to: string | null,
  options: MoveOptions = {},
): Promise<string | null> {
  return withMoveLock(context, id, async (tenant) => {
    const place = parseTarget(context, to)
    const known = await findUnderWay(context, tenant, place)
    const target = await context.shared.tenantDatabases.openDedicated(place)
    try {
      const row = known ?? (await recordMove(context, tenant, to))
      return await withPlan(context, { tenant, row, target, options }, carryOut)
    } finally {
      await target.database.close()
    }
  })
}

/**
 * Gives a move up that has not been switched yet: the tenant stays where it is.
 * @throws ServiceError `notFound` when none is under way, `conflict` when it has been switched
 */
export async function abandonMove(context: Context, id: string): Promise<void> {
  await withMoveLock(context, id, async (tenant) => {
    const row = await findMove(context.catalogue, foldTenantId(id))
    if (row === null) throw new ServiceError('notFound', 'The tenant is not being moved.')
    await abandon(context, tenant, row)
  })
}

/**
 * Ends the switch of a move whose process has ended behind the fence: until then the tenant's writes are refused.
 * @returns whether there was one @throws ServiceError `conflict` while its process goes on; DatabaseUnavailable
 */
export function endSwitch(context: Context, id: string): Promise<boolean> {
  return withMoveLock(context, id, async (tenant) => {
    const row = await findMove(context.catalogue, foldTenantId(id))
    if (row?.phase !== 'COPYING') return false
    const target = await openStored(context, row.target)
    try {
      return await withPlan(context, { tenant, row, target, options: {} }, async (plan) => {
        const isLeft = await isFenced(plan.source.database.executor, tenant.id)
        if (isLeft) await finishSwitch(plan)
        return isLeft
      })
    } finally {
      await target.database.close()
    }
  })
}

async function carryOut(plan: Plan): Promise<string | null> {
  const { reached } = plan.options
  if (plan.row.phase === 'COPYING') {
    if (await isFenced(plan.source.database.executor, plan.tenant.id)) await finishSwitch(plan)
    else {
      await reached?.('copying')
      await beginCopy(plan)
      await copyAll(plan)
      await verify(plan)
      await reached?.('verified')
      await reached?.('switching')
      await switchOver(plan)
    }
    await reached?.('switched')
  }
  return finish({ ...plan, row: (await findMove(plan.context.catalogue, plan.key)) ?? plan.row })
}

async function withPlan<T>(
  context: Context,
  given: Pick<Plan, 'tenant' | 'row' | 'target' | 'options'>,
  work: (plan: Plan) => Promise<T>,
): Promise<T> {
  const source = await openStored(context, given.row.source)
  try {
    return await work(await makePlan(context, { ...given, source, key: given.row.tenant_key }))
  } finally {
    await source.database.close()
  }
}

/**
 * A move that is under way goes on, if it leads to the same place: before that is opened, which may make it.
 * @returns `null` when none is @throws ServiceError
 */
async function findUnderWay(
  context: Context,
  tenant: Tenant,
  target: DatabaseTarget,
): Promise<MoveRow | null> {
  const key = foldTenantId(tenant.id)
  const found = await findMove(context.catalogue, key)
  if (found?.phase === 'ABANDONED') await abandon(context, tenant, found)
  else if (found !== null) return resumed(context, found, target)
  const source = storedTarget(context, await findConnectionString(context.catalogue, key))
  if (!isSameTarget(source, target)) return null
  throw new ServiceError('invalid', `The tenant is in ${targetName(target)} already.`)
}

function resumed(context: Context, row: MoveRow, target: DatabaseTarget): MoveRow {
  const known = storedTarget(context, row.target)
  if (isSameTarget(known, target)) return row
  const end = row.phase === 'COPYING' ? 'End that first, or give it up with --abandon.' : 'End that first.'
  throw new ServiceError('conflict', `A move of the tenant to ${targetName(known)} is under way. ${end}`)
}

/** @throws ServiceError `conflict` for a tenant that is being erased */
function recordMove(context: Context, tenant: Tenant, to: string | null): Promise<MoveRow> {
  const key = foldTenantId(tenant.id)
  return inCatalogue(context, async (inside) => {
    const before = await lockTenant(inside.catalogue, key)
    if (before !== null) refuseWhileErased(before)
    const row = {
      tenant_key: key,
      id: newId(),
      phase: 'COPYING',
      source: await findConnectionString(inside.catalogue, key),
      target: encryptTarget(context, to),
      started_at: now(inside),
      switched_at: null,
    }
    await insertMove(inside.catalogue, row)
    return row
  })
}

function withMoveLock<T>(context: Context, id: string, work: (tenant: Tenant) => Promise<T>): Promise<T> {
  const refusal = 'The host tenant stays in the database of the service.'
  return withTenantLock(context, id, { refusal, allowUnknownTables: false, work })
}

/** Writes of a tenant are refused for so long at most when the process that moves it ends in the wrong moment. */
const everyMs = 5000

/** Any instance that serves ends the switch that another process has left; the rest of the move is for the operator. */
export const endSwitches: Job = {
  name: 'end switches',
  everyMs,
  run: async (context) => {
    for (const tenant of await tenantsBeforeSwitch(context.catalogue)) await tryToEnd(context, tenant)
  },
}

async function tryToEnd(context: Context, tenant: string): Promise<void> {
  const { log } = context.shared
  try {
    if (await endSwitch(context, tenant)) log.warn({ tenantId: tenant }, 'ended the switch of a move')
  } catch (error) {
    // Whoever moves the tenant is still at it.
    if (error instanceof ServiceError && error.kind === 'conflict') return
    log.warn({ err: error, tenantId: tenant }, 'the switch of a move is not ended')
  }
}

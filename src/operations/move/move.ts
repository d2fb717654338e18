/** Moves a tenant's rows to another database while it is served. After a crash, running it again resumes. */
import { type Context, now, type Tenant } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { IntervalJob } from '../../core/feature/job.ts'
import { newId } from '../../core/id.ts'
import { registry } from '../../core/tenant/directory.ts'
import { findTenant, lockTenant } from '../../core/tenant/sql.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import { inCatalogue } from '../../core/transaction.ts'
import type { DatabaseTarget } from '../../database/target.ts'
import { isSameTarget, targetName } from '../../database/target.ts'
import {
  findConnectionString,
  findMove,
  insertMove,
  type MoveRow,
  tenantsBeforeSwitch,
} from '../../tenancy/sql.ts'
import { refuseWhileErased } from '../../tenancy/tenant.ts'
import { isFenced } from '../rows/move-state.ts'
import { encryptTarget, openStored, parseTarget, storedTarget } from '../tenant-database.ts'
import { withTenantLock } from '../tenant-lock.ts'
import { beginCopy, copyAll, verify } from './copy.ts'
import { abandon, finish } from './end.ts'
import { type MoveOptions, makePlan, type Plan } from './plan.ts'
import { finishSwitch, switchOver } from './switch.ts'

/**
 * @param to a connection string, or `null` for the shared database
 * @returns the database in which the former rows are left; `null` when they were removed
 * @throws ServiceError `notFound`, `invalid` for a database that is not accepted, `conflict` while another move of the
 *   tenant is under way, `unavailable` when the tenant is too busy to be switched; CopyDiffers; DatabaseUnavailable
 */
export async function moveTenant(
  context: Context,
  id: string,
  to: string | null,
  options: MoveOptions = {},
): Promise<string | null> {
  return withMoveLock(context, id, async (tenant) => {
    const location = parseTarget(context, to)
    const known = await findMoveInProgress(context, tenant, location)
    await using target = await context.shared.tenantDatabases.openDedicated(location, { tenantId: id })
    const row = known ?? (await recordMove(context, tenant, to))
    return await withPlan(context, { tenant, row, target, options }, carryOut)
  })
}

/**
 * Refuses a move without beginning it, as far as the catalogue tells.
 * @param to a connection string, or `null` for the shared database
 * @throws ServiceError `invalid`, `conflict`
 */
export async function refuseMove(context: Context, tenant: Tenant, to: string | null): Promise<void> {
  refuseWhileErased(tenant)
  const target = parseTarget(context, to)
  const found = await findMove(registry(context), foldTenantId(tenant.id))
  if (found !== null && found.phase !== 'ABANDONED') requireSameTarget(context, found, target)
  else if (await isIn(context, tenant, target)) throw alreadyIn(target)
}

/** Whether the tenant is in this database, and no part of a move is left to do. */
export async function isMoved(context: Context, id: string, to: string | null): Promise<boolean> {
  const tenant = await findTenant(registry(context), foldTenantId(id))
  if (tenant === null || (await findMove(registry(context), foldTenantId(id))) !== null) return false
  return isIn(context, tenant, parseTarget(context, to))
}

/**
 * Abandons a move that is not switched yet: the tenant stays in its database.
 * @throws ServiceError `notFound` when none is under way, `conflict` when it has been switched
 */
export async function abandonMove(context: Context, id: string): Promise<void> {
  await withMoveLock(context, id, async (tenant) => {
    await abandon(context, tenant, await requireMove(context, id))
  })
}

/** @throws ServiceError `notFound` */
export async function requireMove(context: Context, id: string): Promise<MoveRow> {
  const row = await findMove(registry(context), foldTenantId(id))
  if (row === null) throw new ServiceError('notFound', 'The tenant is not being moved.')
  return row
}

/**
 * Finishes the switch of a move whose process died after setting the fence. The fence is a row in the source, with
 * which triggers refuse the tenant's writes.
 * @returns whether there was such a move @throws ServiceError `conflict` while its process runs; DatabaseUnavailable
 */
function endSwitch(context: Context, id: string): Promise<boolean> {
  return withMoveLock(context, id, async (tenant) => {
    const row = await findMove(registry(context), foldTenantId(id))
    if (row?.phase !== 'COPYING') return false
    await using target = await openStored(context, row.target, { as: 'existing' })
    return await withPlan(context, { tenant, row, target, options: {} }, async (plan) => {
      const isInterrupted = await isFenced(plan.source.database.executor, tenant.id)
      if (isInterrupted) await finishSwitch(plan)
      return isInterrupted
    })
  })
}

/** Begins the move, or resumes it after the last phase that is recorded. */
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
  return finish({ ...plan, row: (await findMove(registry(plan.context), plan.key)) ?? plan.row })
}

async function withPlan<T>(
  context: Context,
  given: Pick<Plan, 'tenant' | 'row' | 'target' | 'options'>,
  work: (plan: Plan) => Promise<T>,
): Promise<T> {
  await using source = await openStored(context, given.row.source, { tenantId: given.tenant.id })
  return await work(await makePlan(context, { ...given, source, key: given.row.tenant_key }))
}

/**
 * Finds a move to resume. Called before the target is opened, which may create it.
 * @returns `null` when no move is in progress @throws ServiceError `conflict` for a move to another target, `invalid`
 */
async function findMoveInProgress(
  context: Context,
  tenant: Tenant,
  target: DatabaseTarget,
): Promise<MoveRow | null> {
  const found = await findMove(registry(context), foldTenantId(tenant.id))
  if (found?.phase === 'ABANDONED') await abandon(context, tenant, found)
  else if (found !== null) return requireSameTarget(context, found, target)
  if (await isIn(context, tenant, target)) throw alreadyIn(target)
  return null
}

function alreadyIn(target: DatabaseTarget): ServiceError {
  return new ServiceError('invalid', `The tenant is already in ${targetName(target)}.`)
}

async function isIn(context: Context, tenant: Tenant, target: DatabaseTarget): Promise<boolean> {
  const stored = await findConnectionString(registry(context), foldTenantId(tenant.id))
  return isSameTarget(storedTarget(context, stored), target)
}

function requireSameTarget(context: Context, row: MoveRow, target: DatabaseTarget): MoveRow {
  const known = storedTarget(context, row.target)
  if (isSameTarget(known, target)) return row
  const end = row.phase === 'COPYING' ? 'Finish it first, or abandon it with --abandon.' : 'Finish it first.'
  throw new ServiceError('conflict', `A move of the tenant to ${targetName(known)} is under way. ${end}`)
}

/** @throws ServiceError `conflict` for a tenant that is being erased */
function recordMove(context: Context, tenant: Tenant, to: string | null): Promise<MoveRow> {
  const key = foldTenantId(tenant.id)
  return inCatalogue(context, async (inside) => {
    const before = await lockTenant(registry(inside), key)
    if (before !== null) refuseWhileErased(before)
    const row = {
      tenant_key: key,
      id: newId(),
      phase: 'COPYING',
      source: await findConnectionString(registry(inside), key),
      target: encryptTarget(context, to),
      started_at: now(inside),
      switched_at: null,
    }
    await insertMove(registry(inside), row)
    return row
  })
}

function withMoveLock<T>(context: Context, id: string, work: (tenant: Tenant) => Promise<T>): Promise<T> {
  const refusal = 'The host tenant stays in the database of the service.'
  return withTenantLock(context, id, { refusal, allowUnknownTables: false, work })
}

/** Writes of the tenant are refused for at most this long if the process that moves it dies after setting the fence. */
const everyMs = 5000

/** Every instance finishes switches of interrupted moves. The operator finishes the rest of the move. */
export const endSwitches: IntervalJob = {
  name: 'end switches',
  everyMs,
  run: async (context) => {
    for (const tenant of await tenantsBeforeSwitch(registry(context))) await tryToEndSwitch(context, tenant)
  },
}

async function tryToEndSwitch(context: Context, tenant: string): Promise<void> {
  const { log } = context.shared
  try {
    if (await endSwitch(context, tenant)) log.warn({ tenantId: tenant }, 'switch of a move ended')
  } catch (error) {
    // The process that moves the tenant still runs.
    if (error instanceof ServiceError && error.kind === 'conflict') return
    log.warn({ err: error, tenantId: tenant }, 'switch of a move not ended')
  }
}

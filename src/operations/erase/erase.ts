/** Erases a tenant with everything it has. After a crash, running it again resumes. */
import { setTimeout as delay } from 'node:timers/promises'
import { keepForHost, recordAudit } from '../../core/audit/audit.ts'
import { type Context, type DedicatedDatabase, hostTenantId, now, type Tenant } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { eraseOutcomesAbout } from '../../core/idempotency/erase.ts'
import { registry, tenantChange } from '../../core/tenant/directory.ts'
import { lockTenant } from '../../core/tenant/sql.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { TenantData } from '../../database/data.ts'
import { eraseApiKeys } from '../../identity/api-key/api-key.ts'
import { eraseSessions } from '../../identity/session/removal/removal.ts'
import { eraseKeptMails } from '../../mail/erase.ts'
import { deleteTenantRow, findErasure, updateTenantRow } from '../../tenancy/sql.ts'
import { refuseWhileMoved } from '../../tenancy/tenant.ts'
import { isAtWork } from '../move/drain-deliveries.ts'
import { withTenantLock } from '../tenant-lock.ts'
import { deleteUsageOf } from '../usage/sql.ts'
import { clear, countAll, fence, rewriteFiles, unfence } from './clear.ts'
import { closeTargets, type ErasureTarget, openTargets } from './targets.ts'

/** The phases of an erasure, in this order. */
export type ErasePhase = 'recorded' | 'fenced' | 'counted' | 'removed' | 'rewritten' | 'unfenced'

export interface EraseOptions {
  /** Called when a phase is reached. */
  reached?: (phase: ErasePhase) => Promise<void> | void
}

export interface Erasure {
  /** The number of rows that were removed, by table. */
  rows: Record<string, number>
  /** Files that were deleted. */
  deleted: string[]
  /** Databases that no tenant has rows in any more; they are not dropped. */
  emptied: string[]
  /** Sentences that say what could not be erased. */
  left: string[]
}

/** Pauses the deliveries of the tenant permanently. */
const forever = '9999-12-31T23:59:59.999Z'
const pollMs = 100

/**
 * @throws ServiceError `notFound`; `invalid` for the host tenant; `conflict` for an active one, one that is being
 *   moved, and while another process erases or moves a tenant; DatabaseUnavailable, after which it can be called again
 */
export function eraseTenant(context: Context, id: string, options: EraseOptions = {}): Promise<Erasure> {
  return withTenantLock(context, id, {
    refusal: 'The host tenant cannot be erased.',
    allowUnknownTables: true,
    work: async (tenant, shared) => {
      await requireReachable(context, tenant, shared)
      const since = await begin(context, tenant)
      await options.reached?.('recorded')
      const { all, unread } = await openTargets(context, tenant, shared)
      const open = new Set(all)
      try {
        const erasure = await carryOut(context, { tenant, since, open }, options)
        const unknown = unread.map((path) => `${path} cannot be read. It may hold rows of the tenant.`)
        return { ...erasure, left: [...erasure.left, ...unknown] }
      } finally {
        await closeTargets([...open])
      }
    },
  })
}

/** Opens all databases first: while nothing is recorded, a tenant with a lost database can be assigned another one. */
async function requireReachable(context: Context, tenant: Tenant, shared: DedicatedDatabase): Promise<void> {
  if (tenant.isBeingErased) return
  await requireErasable(context, tenant)
  await closeTargets((await openTargets(context, tenant, shared)).all)
}

async function requireErasable(context: Context, tenant: Tenant): Promise<void> {
  await refuseWhileMoved(context, foldTenantId(tenant.id))
  if (tenant.isActive) throw refusal('tenantIsActive')
}

/** Irreversible, because it erases the names. @returns when the erasure began first, ISO 8601 */
async function begin(context: Context, { id }: Tenant): Promise<string> {
  const key = foldTenantId(id)
  return inCatalogue(context, async (inside) => {
    const tenant = await lockTenant(registry(inside), key)
    if (tenant === null) throw refusal('noSuch', { label: 'tenant' })
    const known = await findErasure(registry(inside), key)
    if (known.since !== null) return known.since
    await requireErasable(inside, tenant)
    await keepForHost(inside, id)
    const since = now(inside)
    await updateTenantRow(registry(inside), key, {
      name: id,
      subdomain: null,
      plan: null,
      paused_until: forever,
      erasing_since: since,
      version: tenant.version + 1,
    })
    await inside.transaction?.announce(tenantChange(key))
    return since
  })
}

interface ErasureInProgress {
  tenant: Tenant
  since: string
  /** The databases that are open. Deleted ones are not among them. */
  open: Set<ErasureTarget>
}

async function carryOut(
  context: Context,
  { tenant, since, open }: ErasureInProgress,
  { reached }: EraseOptions,
): Promise<Erasure> {
  await drainDeliveries(context, { tenant, since, open })
  for (const target of open) await fence(tenant.id, target, now(context))
  await reached?.('fenced')
  const rows = await countOnce(context, tenant, open)
  await inCatalogue(context, async (inside) => {
    await eraseSessions(inside, tenant.id)
    await eraseApiKeys(inside, tenant.id)
  })
  const endedAtMs = performance.now()
  await eraseKeptMails(context, tenant.id)
  await reached?.('counted')
  const deleted: string[] = []
  for (const target of [...open]) {
    if (!(await clear(tenant.id, target))) continue
    open.delete(target)
    deleted.push(target.dedicated.name)
  }
  await context.shared.files.store.removeTenant(tenant.id)
  await eraseOutcomesAbout(context, tenant.id)
  await reached?.('removed')
  const left: string[] = []
  for (const target of open) left.push(...(await rewriteFiles(target)))
  await reached?.('rewritten')
  // Every instance has to refuse the tokens of the tenant's users before another tenant can get the id.
  await delay(Math.max(0, endedAtMs + context.shared.changePropagationMs - performance.now()))
  for (const target of open) await unfence(tenant.id, target)
  await reached?.('unfenced')
  await finish(context, tenant, rows)
  const emptied = [...open].filter(({ isExclusive }) => isExclusive).map(({ dedicated }) => dedicated.name)
  return { rows, deleted, emptied, left }
}

/** Waits until every instance has learned of the erasure and all earlier attempts are recorded. */
async function drainDeliveries(
  { shared }: Context,
  { tenant, since, open }: ErasureInProgress,
): Promise<void> {
  const passedMs = Math.max(0, shared.clock().getTime() - Date.parse(since))
  await delay(Math.max(0, shared.changePropagationMs - passedMs))
  for (const { dedicated } of open) {
    const data = new TenantData(tenant.id, dedicated.database.executor)
    while (await isAtWork(data, shared.clock().toISOString())) await delay(pollMs)
  }
}

/** The count of an earlier run is kept: that run may have removed rows. */
async function countOnce(context: Context, tenant: Tenant, targets: Iterable<ErasureTarget>) {
  const key = foldTenantId(tenant.id)
  const { rows: known } = await findErasure(registry(context), key)
  if (known !== null) return JSON.parse(known) as Record<string, number> // written below
  const rows = await countAll(tenant.id, [...targets])
  await inCatalogue(context, (inside) =>
    updateTenantRow(registry(inside), key, { erased_rows: JSON.stringify(rows) }),
  )
  return rows
}

async function finish(context: Context, { id }: Tenant, rows: Record<string, number>): Promise<void> {
  const key = foldTenantId(id)
  await inCatalogue(context, async (inside) => {
    await deleteTenantRow(registry(inside), key)
    await deleteUsageOf(registry(inside), key)
    await publish(inside, 'tenant.erased', { tenantId: id })
    const entry = { action: 'tenant.erased', tenantId: hostTenantId, subjectType: 'tenant' } as const
    await recordAudit(inside, { ...entry, subjectId: id, detail: { rows } })
    await inside.transaction?.announce(tenantChange(key))
  })
}

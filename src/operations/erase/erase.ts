/** Erases a tenant with everything it has. Run again after a crash it goes on. */
import { setTimeout as delay } from 'node:timers/promises'
import { keepForHost, recordAudit } from '../../core/audit/audit.ts'
import { type Context, type DedicatedDatabase, hostTenantId, now, type Tenant } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { eraseOutcomesAbout } from '../../core/idempotency/erase.ts'
import { foldTenantId, tenantChange } from '../../core/tenant/directory.ts'
import { lockTenant } from '../../core/tenant/sql.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { type CatalogueData, TenantData } from '../../database/data.ts'
import { eraseSessions } from '../../identity/session/erase.ts'
import { refuseWhileMoved } from '../../tenancy/relocation/under-way.ts'
import { updateTenantRow } from '../../tenancy/sql.ts'
import { isBeingSent } from '../../webhooks/outgoing/queue/lease/leases.ts'
import { heardWithinMs } from '../move/drain-deliveries.ts'
import { withTenantLock } from '../tenant-lock.ts'
import { clear, countAll, fence, rewriteFiles, unfence } from './clear.ts'
import { closePlaces, openPlaces, type Place } from './places.ts'
import { deleteTenantRow, findErasure } from './sql.ts'

/** How far an erasure has come, in this order. */
export type Phase = 'recorded' | 'closed' | 'counted' | 'removed' | 'rewritten' | 'opened'

export interface EraseOptions {
  /** Told of each phase once it is reached. */
  reached?: (phase: Phase) => Promise<void> | void
}

export interface Erasure {
  /** How many rows there were, by table. */
  rows: Record<string, number>
  /** Files that are gone. */
  deleted: string[]
  /** Databases in which nobody has any rows now; they are left. */
  emptied: string[]
  /** What could not be done, as sentences. */
  left: string[]
}

/** Nothing is sent for the tenant any more. */
const forever = '9999-12-31T23:59:59.999Z'
const lookEveryMs = 100

/**
 * @throws ServiceError `notFound`; `invalid` for the host tenant; `conflict` for an active one, one that is being
 *   moved, and while another process is at it; DatabaseUnavailable, after which it is called again
 */
export function eraseTenant(context: Context, id: string, options: EraseOptions = {}): Promise<Erasure> {
  return withTenantLock(context, id, {
    refusal: 'The host tenant cannot be erased.',
    whateverIsThere: true,
    work: async (tenant, shared) => {
      await requireReachable(context, tenant, shared)
      const since = await begin(context, tenant)
      await options.reached?.('recorded')
      const { all, unread } = await openPlaces(context, tenant, shared)
      const open = new Set(all)
      try {
        const erasure = await carryOut(context, { tenant, since, open }, options)
        const unknown = unread.map(
          (path) => `${path} cannot be read; whether the tenant is in it is not known.`,
        )
        return { ...erasure, left: [...erasure.left, ...unknown] }
      } finally {
        await closePlaces([...open])
      }
    },
  })
}

/** A database that is not there is noticed while the tenant can still be given another, or none. */
async function requireReachable(context: Context, tenant: Tenant, shared: DedicatedDatabase): Promise<void> {
  if (tenant.isBeingErased) return
  await requireErasable(context.catalogue, tenant)
  await closePlaces((await openPlaces(context, tenant, shared)).all)
}

async function requireErasable(catalogue: CatalogueData, tenant: Tenant): Promise<void> {
  await refuseWhileMoved(catalogue, foldTenantId(tenant.id))
  if (tenant.isActive) throw new ServiceError('conflict', 'The tenant is active. Deactivate it first.')
}

/** There is no way back from here: the names go at once. @returns since when, ISO 8601 */
async function begin(context: Context, { id }: Tenant): Promise<string> {
  const key = foldTenantId(id)
  return inCatalogue(context, async (inside) => {
    const tenant = await lockTenant(inside.catalogue, key)
    if (tenant === null) throw new ServiceError('notFound', 'There is no such tenant.')
    const known = await findErasure(inside.catalogue, key)
    if (known.since !== null) return known.since
    await requireErasable(inside.catalogue, tenant)
    await keepForHost(inside, id)
    const since = now(inside)
    await updateTenantRow(inside.catalogue, key, {
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

interface UnderWay {
  tenant: Tenant
  since: string
  /** Those that are gone are taken out. */
  open: Set<Place>
}

async function carryOut(
  context: Context,
  { tenant, since, open }: UnderWay,
  { reached }: EraseOptions,
): Promise<Erasure> {
  await drainDeliveries(context, { tenant, since, open })
  for (const place of open) await fence(tenant.id, place, now(context))
  await reached?.('closed')
  const rows = await countOnce(context, tenant, open)
  await inCatalogue(context, (inside) => eraseSessions(inside, tenant.id))
  const endedAtMs = performance.now()
  await reached?.('counted')
  const deleted: string[] = []
  for (const place of [...open]) {
    if (!(await clear(tenant.id, place))) continue
    open.delete(place)
    deleted.push(place.apart.name)
  }
  await eraseOutcomesAbout(context, tenant.id)
  await reached?.('removed')
  const left: string[] = []
  for (const place of open) left.push(...(await rewriteFiles(place)))
  await reached?.('rewritten')
  // Every instance refuses the tokens of its users before the id can be another tenant's.
  await delay(Math.max(0, endedAtMs + heardWithinMs - performance.now()))
  for (const place of open) await unfence(tenant.id, place)
  await reached?.('opened')
  await finish(context, tenant, rows)
  const emptied = [...open].filter(({ isAlone }) => isAlone).map(({ apart }) => apart.name)
  return { rows, deleted, emptied, left }
}

/** Until every instance has heard of it, and nothing that was sent before is still to be recorded. */
async function drainDeliveries({ shared }: Context, { tenant, since, open }: UnderWay): Promise<void> {
  const passedMs = Math.max(0, shared.clock().getTime() - Date.parse(since))
  await delay(Math.max(0, heardWithinMs - passedMs))
  for (const { apart } of open) {
    const data = new TenantData(tenant.id, apart.database.executor)
    while (await isBeingSent(data, shared.clock().toISOString())) await delay(lookEveryMs)
  }
}

/** What a run before this one has removed is counted there. */
async function countOnce(context: Context, tenant: Tenant, places: Iterable<Place>) {
  const key = foldTenantId(tenant.id)
  const { rows: known } = await findErasure(context.catalogue, key)
  if (known !== null) return JSON.parse(known) as Record<string, number> // written below
  const rows = await countAll(tenant.id, [...places])
  await inCatalogue(context, (inside) =>
    updateTenantRow(inside.catalogue, key, { erased_rows: JSON.stringify(rows) }),
  )
  return rows
}

async function finish(context: Context, { id }: Tenant, rows: Record<string, number>): Promise<void> {
  const key = foldTenantId(id)
  await inCatalogue(context, async (inside) => {
    await deleteTenantRow(inside.catalogue, key)
    await publish(inside, 'tenant.erased', { tenantId: id })
    const entry = { action: 'tenant.erased', tenantId: hostTenantId, subjectType: 'tenant' } as const
    await recordAudit(inside, { ...entry, subjectId: id, detail: { rows } })
    await inside.transaction?.announce(tenantChange(key))
  })
}

/** Operations on tenants. Administrators of the host tenant see all tenants, other administrators their own. */

import { isHostAdmin } from '../core/actor.ts'
import type { AuditAction } from '../core/audit/action.ts'
import { recordAudit } from '../core/audit/audit.ts'
import { type Context, hostTenantId, now, type Tenant } from '../core/context.ts'
import { reaching } from '../core/create-context.ts'
import { defined } from '../core/defined.ts'
import { CannotDecrypt } from '../core/encryption/secret-box.ts'
import { invalidField, refusal, ServiceError } from '../core/errors.ts'
import { publish } from '../core/events/publish.ts'
import { registry, tenantChange } from '../core/tenant/directory.ts'
import { findTenant, findTenantBySubdomain, lockTenant } from '../core/tenant/sql.ts'
import { foldTenantId } from '../core/tenant/tenant-id.ts'
import { inCatalogue } from '../core/transaction.ts'
import { isDuplicate } from '../database/executor.ts'
import { isMoveTarget } from '../database/relocation.ts'
import { isSameTarget } from '../database/target.ts'
import { revokeSessionsOfTenant } from '../identity/session/revocation.ts'
import { addUser, type HashedUser, hashPasswordOf } from '../identity/user/user.ts'
import { decryptTarget, encryptConnectionString } from './connection-string.ts'
import { refuseReserved } from './reserved-subdomain.ts'
import type { TenantDatabase, TenantInput, TenantUpdate } from './schema.ts'
import { assignDatabase, findConnectionString, findMove, insertTenant, updateTenantRow } from './sql.ts'

/** @throws ServiceError `notFound`, also for a tenant that the actor may not see */
export async function getTenant(context: Context, id: string): Promise<Tenant> {
  const tenant = isVisible(context, id) ? await findTenant(registry(context), foldTenantId(id)) : null
  if (tenant === null) throw noSuchTenant()
  return tenant
}

/** @throws ServiceError `forbidden`; `invalid` for an id or a subdomain that is taken; `conflict` */
export async function createTenant(context: Context, input: TenantInput): Promise<Tenant> {
  requireHostAdmin(context)
  const connection = encryptConnection(context, input.connectionString)
  const fault = await findDuplicate(context, input)
  const admin =
    input.admin === undefined || fault !== null
      ? null
      : await hashPasswordOf(
          context,
          { ...input.admin, roles: ['Admin'] },
          { member: 'admin.password', words: [input.id, input.name] },
        )
  const tenant = await inCatalogue(context, async (inside) => {
    if (fault !== null) throw fault // not earlier: a repeated command gets its stored reply
    return addTenant(inside, input, { admin, connection })
  })
  provision(context, tenant)
  return tenant
}

/**
 * Creates a tenant inside a transaction, with the rights of an administrator of the host tenant.
 * @param connection encrypted; `null` for the shared database
 * @throws ServiceError `invalid` for an id or a subdomain that is taken; `conflict`
 */
export async function addTenant(
  inside: Context,
  input: Pick<TenantInput, 'id' | 'name' | 'subdomain' | 'plan'>,
  { admin, connection = null }: { admin: HashedUser | null; connection?: Uint8Array | null },
): Promise<Tenant> {
  const row = {
    id: input.id,
    id_key: foldTenantId(input.id),
    name: input.name,
    subdomain: input.subdomain?.toLowerCase() ?? null,
    plan: input.plan ?? null,
    connection_string: connection,
    is_active: true,
    created_at: now(inside),
    version: 1,
  }
  await refuseDuplicates(insertTenant(registry(inside), row))
  if (connection !== null) await assignDatabase(registry(inside), row.id_key, 'new')
  await refuseWhileImported(inside, foldTenantId(input.id))
  const created = await getTenant(inside, input.id)
  await publish(inside, 'tenant.created', { tenantId: created.id, name: created.name }, created.id)
  await recordAudit(inside, tenantEntry('tenant.created', created, { plan: created.plan }))
  if (admin !== null) await addUser(reaching(inside, registry(inside), created.id), admin)
  await inside.transaction?.announce(tenantChange(created.id))
  return created
}

/**
 * Omitted members stay unchanged.
 * @param reserved subdomains that only administrators of the host tenant assign, besides the built-in ones
 * @throws ServiceError `notFound`; `forbidden` for members that only the host tenant sets; `invalid` for a taken or
 *   reserved subdomain or the host tenant
 */
export async function updateTenant(
  context: Context,
  id: string,
  input: TenantUpdate,
  reserved: readonly string[] = [],
): Promise<Tenant> {
  const changed = await inCatalogue(context, async (inside) => {
    const before = await lockVisibleTenant(inside, id)
    refuseWhileErased(before)
    await refuseChange(inside, before, { input, reserved })
    const isOther = await namesOtherDatabase(inside, before, input.connectionString)
    const change = { ...changedColumns(context, input), version: before.version + 1 }
    await refuseDuplicates(updateTenantRow(registry(inside), foldTenantId(id), change))
    if (input.connectionString !== undefined && isOther)
      await assignDatabase(registry(inside), foldTenantId(id), input.connectionString === null ? null : 'new')
    const after = await getTenant(inside, id)
    // Reactivation ends sessions too, because a sign-in may have begun before the deactivation and ended after it.
    if (before.isActive !== after.isActive)
      await revokeSessionsOfTenant(reaching(inside, registry(inside), after.id))
    await recordChange(inside, before, after, Object.keys(input))
    return after
  })
  if (input.connectionString !== undefined) provision(context, changed)
  return changed
}

function changedColumns(context: Context, input: TenantUpdate) {
  const { name, plan, isActive, subdomain, connectionString } = input
  return defined({
    name,
    plan,
    is_active: isActive,
    subdomain: subdomain?.toLowerCase() ?? subdomain,
    connection_string:
      connectionString === undefined ? undefined : encryptConnection(context, connectionString),
  })
}

/**
 * Ends all sessions of the tenant, and erases nothing.
 * @throws ServiceError `forbidden`, `notFound`, `invalid` for the host tenant
 */
export async function deactivateTenant(context: Context, id: string): Promise<void> {
  requireHostAdmin(context)
  await updateTenant(context, id, { isActive: false })
}

/** @throws ServiceError `notFound` */
export async function getTenantDatabase(context: Context, id: string): Promise<TenantDatabase> {
  const state = await context.shared.tenantDatabases.state(await getTenant(context, id))
  const move = await findMove(registry(context), foldTenantId(id))
  return { ...state, isMoving: move !== null }
}

/** @param key the case-folded id @throws ServiceError `conflict` */
export async function refuseWhileMoved(context: Context, key: string): Promise<void> {
  if ((await findMove(registry(context), key)) === null) return
  throw refusal('tenantIsMoved')
}

/**
 * While a tenant is imported under the id, its rows would become visible to a new tenant.
 * @throws ServiceError `conflict`
 */
async function refuseWhileImported(context: Context, key: string): Promise<void> {
  if (!(await isMoveTarget(registry(context).executor, key))) return
  throw refusal('tenantIsImported')
}

/** @throws ServiceError `conflict` */
export function refuseWhileErased(tenant: Tenant): void {
  if (tenant.isBeingErased) throw refusal('tenantIsErased')
}

/** @throws ServiceError `forbidden`, `invalid`, `conflict` */
async function refuseChange(
  context: Context,
  before: Tenant,
  { input, reserved }: { input: TenantUpdate; reserved: readonly string[] },
): Promise<void> {
  if (!isHostAdmin(context.actor)) {
    if (input.isActive !== undefined || input.connectionString !== undefined)
      throw new ServiceError('forbidden')
    if (input.plan !== undefined && input.plan !== before.plan) throw refusal('planSetByHost')
    if (input.subdomain?.toLowerCase() !== before.subdomain) refuseReserved(input.subdomain, reserved)
  }
  if (input.isActive === false) refuseForHost(before, 'hostStaysActive')
  if (input.connectionString === undefined) return
  refuseForHost(before, 'hostStaysInDatabase')
  await refuseWhileMoved(context, foldTenantId(before.id))
}

async function recordChange(
  context: Context,
  before: Tenant,
  after: Tenant,
  members: string[],
): Promise<void> {
  const tenantId = after.id
  if (before.isActive && !after.isActive) await publish(context, 'tenant.deactivated', { tenantId }, tenantId)
  else if (!before.isActive && after.isActive)
    await publish(context, 'tenant.reactivated', { tenantId }, tenantId)
  else await publish(context, 'tenant.updated', { tenantId, name: after.name }, tenantId)
  const action = before.isActive && !after.isActive ? 'tenant.deactivated' : 'tenant.updated'
  await recordAudit(context, tenantEntry(action, after, { changed: members }))
  await context.transaction?.announce(tenantChange(tenantId))
}

function tenantEntry(action: AuditAction, tenant: Tenant, detail: Record<string, unknown>) {
  return { action, tenantId: tenant.id, subjectType: 'tenant' as const, subjectId: tenant.id, detail }
}

/** Begins to prepare the database, without waiting for it. If it is unavailable, each use of the tenant tries again. */
export function provision(context: Context, tenant: Tenant): void {
  Promise.resolve(context.shared.tenantDatabases.lease(tenant)).then(
    (lease) => lease.release(),
    () => undefined, // already logged, and shown by the state of the tenant's database
  )
}

function encryptConnection(context: Context, text: string | null | undefined): Uint8Array | null {
  if (text === undefined || text === null) return null
  context.shared.tenantDatabases.check(text)
  return encryptConnectionString(context.shared.secretBox, text)
}

/** Whether the connection string names another database. Only another password, for example, is no other database. */
async function namesOtherDatabase(
  context: Context,
  { id }: Tenant,
  text: string | null | undefined,
): Promise<boolean> {
  const { secretBox, tenantDatabases } = context.shared
  const before = text ? await findConnectionString(registry(context), foldTenantId(id)) : null
  if (!text || before === null) return true
  const target = tenantDatabases.check(text)
  try {
    const reader = { secretBox, dataDir: tenantDatabases.dataDir }
    return !isSameTarget(decryptTarget(reader, before), target)
  } catch (error) {
    // What was stored cannot be read, or is of a form that is not accepted any more: it is replaced.
    if (error instanceof CannotDecrypt || error instanceof ServiceError) return true
    throw error
  }
}

async function refuseDuplicates<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (isDuplicate(error, 'subdomain')) throw takenByAnother('subdomain')
    if (isDuplicate(error, 'tenant')) throw takenByAnother('id')
    throw error
  }
}

/** Checks before a password is hashed, which is slow. The insert refuses simultaneous duplicates. */
export async function findDuplicate(
  context: Context,
  { id, subdomain }: Pick<TenantInput, 'id' | 'subdomain'>,
): Promise<ServiceError | null> {
  if ((await findTenant(registry(context), foldTenantId(id))) !== null) return takenByAnother('id')
  if (subdomain === undefined || subdomain === null) return null
  const named = await findTenantBySubdomain(registry(context), subdomain.toLowerCase())
  return named === null ? null : takenByAnother('subdomain')
}

function takenByAnother(field: 'id' | 'subdomain'): ServiceError {
  return invalidField(field, 'is taken by another tenant', 'taken')
}

function requireHostAdmin(context: Context): void {
  if (!isHostAdmin(context.actor)) throw new ServiceError('forbidden')
}

function refuseForHost(tenant: Tenant, code: 'hostStaysActive' | 'hostStaysInDatabase'): void {
  if (tenant.id === hostTenantId) throw refusal(code)
}

async function lockVisibleTenant(inside: Context, id: string): Promise<Tenant> {
  const tenant = isVisible(inside, id) ? await lockTenant(registry(inside), foldTenantId(id)) : null
  if (tenant === null) throw noSuchTenant()
  return tenant
}

/**
 * Whether the actor may see a tenant with this id. An id from a path may have
 * characters that no database can store.
 */
function isVisible({ actor }: Context, id: string): boolean {
  const own = foldTenantId(id) === foldTenantId(actor?.tenantId ?? '')
  return (own || isHostAdmin(actor)) && id.isWellFormed() && !id.includes('\0')
}

function noSuchTenant(): ServiceError {
  return refusal('noSuch', { label: 'tenant' })
}

/** An administrator of the host tenant acts as a user, for a limited time and visibly for the tenant. */
import { Type } from 'typebox'
import { isHostAdmin, sessionOf } from '../../core/actor.ts'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Actor, type Context, hostTenantId } from '../../core/context.ts'
import { atHome, tenantContext } from '../../core/create-context.ts'
import { refusal, ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { newId } from '../../core/id.ts'
import { lookUpTenant } from '../../core/tenant/directory.ts'
import { lockTenantSettings } from '../../core/tenant/settings/lock.ts'
import { setting } from '../../core/tenant/settings/setting.ts'
import { withTenantDatabase } from '../../core/tenant/with-database.ts'
import { inCatalogue, inCatalogueFirst, inTransaction } from '../../core/transaction.ts'
import type { AccessTokens } from '../session/access-token.ts'
import { requireRecentSignIn } from '../session/recent-sign-in.ts'
import { revokeImpersonations, revokeSession } from '../session/revocation.ts'
import { addImpersonation, describeUser } from '../session/session.ts'
import { type Account, isActiveAdmin } from '../user/account.ts'
import { findActiveAccount, lockActiveAccount } from '../user/credentials.ts'
import { reachUser } from '../user/reach.ts'
import { signedIn } from '../user/signed-in.ts'
import { defaultMinutes, type Impersonation, type ImpersonationInput } from './schema.ts'

export const allowImpersonation = setting(
  Type.Boolean({ description: 'Whether administrators of the host may act as users of the tenant' }),
  { default: true },
)

/**
 * Ends the impersonations of the tenant, inside the transaction that forbids them. If the tenant
 * has its own database, the sessions are in another database and end before this transaction
 * commits: they may end although it fails.
 */
export async function endImpersonations(inside: Context): Promise<void> {
  await inCatalogueFirst(inside, revokeImpersonations)
}

/**
 * @throws ServiceError `forbidden` for an actor who is no administrator of the host tenant with a recent sign-in, for a
 *   user who is such an administrator, and for a tenant that forbids it;
 *   `notFound` for a user who does not exist or cannot sign in
 */
export async function impersonate(
  context: Context,
  tokens: AccessTokens,
  userId: string,
  { reason, minutes = defaultMinutes }: ImpersonationInput,
): Promise<Impersonation> {
  const actor = signedInHostAdmin(context)
  await requireRecentSignIn(context)
  const inTenantOfUser = await reachUser(context, userId)
  const found = await findActiveAccount(inTenantOfUser, userId)
  if (found === null) throw noSuchUser()
  await requireAllowed(context, found.tenant_id)
  const impersonator = { id: actor.id, userName: actor.userName }
  const expiresInSeconds = minutes * 60
  const { account, sessionId } = await inCatalogue(inTenantOfUser, async (inside) => {
    // Locks the administrator first: a simultaneous deactivation of the administrator then finds the new session.
    const administrator = await lockActiveAccount(atHome(inside), actor.id)
    if (administrator === null || !isActiveAdmin(administrator)) throw new ServiceError('forbidden')
    const user = await lockActiveAccount(inside, userId)
    if (user === null) throw noSuchUser()
    refuseHostAdmin(user)
    const id = newId()
    const expiresAt = new Date(inside.shared.clock().getTime() + expiresInSeconds * 1000).toISOString()
    await addImpersonation(inside, user, { id, expiresAt, impersonator })
    const persons = {
      userId,
      userName: user.user_name,
      impersonatorId: actor.id,
      impersonatorName: actor.userName,
    }
    await publish(inside, 'user.impersonated', { ...persons, reason, expiresAt }, user.tenant_id)
    const subject = { subjectType: 'user', subjectId: userId }
    const detail = { userName: user.user_name, reason, expiresAt, sessionId: id }
    const entry = { action: 'user.impersonated', ...subject } as const
    await recordAudit(inside, { ...entry, tenantId: user.tenant_id, detail })
    if (user.tenant_id !== hostTenantId) {
      // Without the name of the user: the entry of the host tenant stays when the tenant is erased.
      const forHost = { tenantId: user.tenant_id, reason, expiresAt, sessionId: id }
      await recordAudit(inside, { ...entry, tenantId: hostTenantId, detail: forHost })
    }
    return { account: user, sessionId: id }
  })
  await endIfForbidden(inTenantOfUser, account.tenant_id, sessionId)
  const user = describeUser(account)
  const { token, expiresAt } = await tokens.issue({ ...user, sessionId, impersonator }, expiresInSeconds)
  return { accessToken: token, tokenType: 'Bearer', expiresIn: expiresInSeconds, expiresAt, user }
}

function signedInHostAdmin(context: Context): Actor {
  const actor = signedIn(context)
  if (!isHostAdmin(actor) || sessionOf(actor) === null) throw refusal('hostAdminRequired')
  return actor
}

function refuseHostAdmin(user: Account): void {
  if (user.tenant_id === hostTenantId && isActiveAdmin(user)) throw refusal('hostAdminProtected')
}

/** @throws ServiceError `forbidden` if the tenant does not allow it */
async function requireAllowed(context: Context, tenantId: string): Promise<void> {
  const values = await withDatabaseOf(context, tenantId, async (tenant) =>
    context.shared.tenantSettings.read(tenant),
  )
  if (values['allowImpersonation'] === false) throw notAllowed()
}

/**
 * The tenant may have forbidden impersonation after it was checked, and ended impersonations before this session
 * existed. The lock waits for a change that has not committed; a later change finds the session.
 */
async function endIfForbidden(context: Context, tenantId: string, sessionId: string): Promise<void> {
  const values = await withDatabaseOf(context, tenantId, (tenant) =>
    inTransaction(tenant, lockTenantSettings),
  )
  if (values['allowImpersonation'] !== false) return
  await inCatalogue(context, (inside) => revokeSession(inside, sessionId))
  throw notAllowed()
}

async function withDatabaseOf<T>(
  context: Context,
  tenantId: string,
  work: (tenant: Context) => Promise<T>,
): Promise<T> {
  const { shared } = context
  const tenant = await lookUpTenant(context, tenantId)
  if (tenant === null || tenant.isBeingErased) throw noSuchUser()
  return withTenantDatabase(shared, tenant, (database) => work(tenantContext(shared, tenant, database)))
}

function notAllowed(): ServiceError {
  return refusal('impersonationNotAllowed')
}

function noSuchUser(): ServiceError {
  return refusal('noSuch', { label: 'active user' })
}

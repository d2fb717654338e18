/**
 * Administrators that must stay: the last one of the host tenant, who manages the service, and the break-glass user of a
 * tenant, who signs in with a password while single sign-on is required of everybody else.
 */
import { type Context, hostTenantId } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'
import { lockTenantOf } from '../../core/tenant/directory.ts'
import { type Account, isActiveAdmin } from './account.ts'
import { countOtherAdmins, isRequiredForBreakGlass } from './sql.ts'

/** Locks the tenant until the transaction ends, so that simultaneous changes do not remove the last two administrators. */
export async function isLastAdmin(inside: Context, account: Account): Promise<boolean> {
  if (!isActiveAdmin(account)) return false
  await lockTenantOf(inside)
  return (await countOtherAdmins(inside.catalogue, account.id)) === 0
}

/** @throws ServiceError `invalid` for the last administrator of the host, and for the break-glass user of the tenant */
export async function refuseLossOf(inside: Context, account: Account): Promise<void> {
  if (account.tenant_id === hostTenantId && (await isLastAdmin(inside, account)))
    throw refusal('lastHostAdmin')
  if (await isBreakGlassUser(inside, account)) throw refusal('breakGlassUser')
}

/** Locks the tenant until the transaction ends, so that nobody requires single sign-on meanwhile. */
async function isBreakGlassUser(inside: Context, account: Account): Promise<boolean> {
  if (!isActiveAdmin(account)) return false
  await lockTenantOf(inside)
  return isRequiredForBreakGlass(inside.catalogue, account.id)
}

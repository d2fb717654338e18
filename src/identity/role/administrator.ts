/**
 * Protects administrators: users with the role Admin, or with a role that grants more than the role User. A change that
 * makes, takes over or removes an administrator requires a recent sign-in.
 */
import type { Context } from '../../core/context.ts'
import type { Permission } from '../../core/permission.ts'
import { requireRecentSignIn } from '../session/recent-sign-in.ts'
import { grantsOf } from './grant.ts'

/**
 * To be called inside a transaction, for every change to the roles, the names, the password or the existence of a user.
 * @param roles the roles that the user has before or after the change
 * @throws ServiceError `forbidden` without a recent sign-in
 */
export async function protectAdministrator(inside: Context, roles: readonly string[]): Promise<void> {
  if (await areOfAdministrators(inside, roles)) await requireRecentSignIn(inside)
}

/**
 * Requires a recent sign-in if a role gets or loses permissions of administrators.
 * @param permissions the changed ones
 */
export async function protectAdministratorRole(
  inside: Context,
  permissions: readonly Permission[],
): Promise<void> {
  if (permissions.some((each) => isOfAdministrators(inside, each))) await requireRecentSignIn(inside)
}

export async function areOfAdministrators(context: Context, roles: readonly string[]): Promise<boolean> {
  if (roles.includes('Admin')) return true
  const granted = await grantsOf(context, roles)
  return granted.some((each) => isOfAdministrators(context, each))
}

function isOfAdministrators({ shared, catalogueTenantId }: Context, permission: Permission): boolean {
  return !shared.permissions.ofRole('User', catalogueTenantId).has(permission)
}

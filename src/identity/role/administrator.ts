/**
 * Who counts as an administrator: whoever has the role Admin, or a role that grants what the role User does not. Every
 * change that makes, takes over or strips one asks for a recent sign-in here.
 */
import type { Context } from '../../core/context.ts'
import type { Permission } from '../../core/permission.ts'
import { requireRecentSignIn } from '../session/recent-sign-in.ts'
import { grantsOf } from './grant.ts'

/**
 * Inside a transaction: call it for every change to the roles, the names, the password or the existence of a user.
 * @param roles that the user has before or after
 * @throws ServiceError `forbidden` without a recent sign-in
 */
export async function protectAdministrator(
  inside: Context,
  tenantId: string,
  roles: readonly string[],
): Promise<void> {
  if (await areOfAdministrators(inside, tenantId, roles)) await requireRecentSignIn(inside)
}

/** Likewise for a role. @param permissions that the role gets, or loses */
export async function protectAdministratorRole(
  inside: Context,
  tenantId: string,
  permissions: readonly Permission[],
): Promise<void> {
  if (permissions.some((each) => isOfAdministrators(inside, tenantId, each)))
    await requireRecentSignIn(inside)
}

/** Whether the roles make an administrator. */
export async function areOfAdministrators(
  context: Context,
  tenantId: string,
  roles: readonly string[],
): Promise<boolean> {
  if (roles.includes('Admin')) return true
  const granted = await grantsOf(context, tenantId, roles)
  return granted.some((each) => isOfAdministrators(context, tenantId, each))
}

function isOfAdministrators({ shared }: Context, tenantId: string, permission: Permission): boolean {
  return !shared.permissions.ofRole('User', tenantId).has(permission)
}

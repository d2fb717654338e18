/** Decides which pages a user sees, and which permissions the user may give to roles. */
import { hostTenantId } from './page/people/types.ts'

export interface Access {
  /** The permissions of which a user needs one to see the page; without any, everybody sees it. */
  permissions: readonly string[]
  /** For a page that only users of the host tenant see: its permission exists in every tenant, but rows only there. */
  isForHost?: true
}

export interface Holder {
  user: { tenantId: string }
  can: (permission: string) => boolean
}

export function isShown({ permissions, isForHost }: Access, { user, can }: Holder): boolean {
  if (isForHost === true && user.tenantId !== hostTenantId) return false
  return permissions.length === 0 || permissions.some(can)
}

/**
 * Whether the user is an administrator of the host, to whom the API shows the rows of all tenants unless one is
 * named.
 */
export function isHostAdmin({ tenantId, roles }: { tenantId: string; roles: readonly string[] }): boolean {
  return tenantId === hostTenantId && roles.includes('Admin')
}

/** Whether the user may give a permission to a role, or take it away. A user can give only permissions of its own. */
export function mayToggle(
  permission: string,
  role: { permissions: readonly string[] },
  { can }: Holder,
): boolean {
  return can(permission) || role.permissions.includes(permission)
}

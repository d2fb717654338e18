/** What a user is shown, and what it may give to others. */
import { hostTenantId } from './page/people/types.ts'

export interface Access {
  /** Any of them shows the page; none: everybody sees it. */
  permissions: readonly string[]
  /** For a page whose permission every tenant has, and whose rows only the host. */
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

/** Whether the API shows the user the rows of all tenants where it is not told which one. */
export function isHostAdmin({ tenantId, roles }: { tenantId: string; roles: readonly string[] }): boolean {
  return tenantId === hostTenantId && roles.includes('Admin')
}

/** Taking away is always possible; only what one has oneself is given. */
export function mayToggle(
  permission: string,
  role: { permissions: readonly string[] },
  { can }: Holder,
): boolean {
  return can(permission) || role.permissions.includes(permission)
}

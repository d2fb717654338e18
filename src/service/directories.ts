/** What the service knows of callers and owners: caches that changes of any instance invalidate. */
import type { Permissions } from '../core/permission.ts'
import type { InstallationData } from '../database/data.ts'
import { ApiKeyDirectory } from '../identity/api-key/directory.ts'
import { OwnerDirectory } from '../identity/owner/directory.ts'
import { RoleDirectory } from '../identity/role/directory.ts'
import { usersIn } from '../identity/user/names.ts'
import { PortalDirectory } from '../webhooks/portal/directory.ts'

/** @param permissions called after the features are created */
export function createDirectories(
  catalogue: InstallationData,
  clock: () => Date,
  permissions: () => Permissions,
) {
  const roles = new RoleDirectory(catalogue, permissions)
  return {
    roles,
    owners: new OwnerDirectory({ catalogue, clock, roles, permissions }),
    apiKeys: new ApiKeyDirectory(catalogue, permissions),
    portals: new PortalDirectory(catalogue, clock),
    users: usersIn(catalogue),
  }
}

/** What the service knows of callers and owners: caches that changes of any instance invalidate. */
import { installation } from '../core/installation.ts'
import type { Permissions } from '../core/permission.ts'
import type { InstallationData } from '../database/data.ts'
import type { Database } from '../database/executor.ts'
import { ApiKeyDirectory } from '../identity/api-key/directory.ts'
import { OwnerDirectory } from '../identity/owner/directory.ts'
import { RoleDirectory } from '../identity/role/directory.ts'
import { usersIn } from '../identity/user/names.ts'
import { enqueueFormerUser } from '../jobs/former-user.ts'
import { PortalDirectory } from '../webhooks/portal/directory.ts'

/** @param database of the catalogue @param permissions called after the features are created */
export function createDirectories(database: Database, clock: () => Date, permissions: () => Permissions) {
  const catalogue = credentials(database)
  const roles = new RoleDirectory(catalogue, permissions)
  return {
    roles,
    owners: new OwnerDirectory({ catalogue, clock, roles, permissions }),
    apiKeys: new ApiKeyDirectory(catalogue, permissions),
    portals: new PortalDirectory(catalogue, clock),
    users: { ...usersIn(catalogue), deleted: enqueueFormerUser },
  }
}

export function credentials({ executor }: Database): InstallationData {
  return installation(executor, 'a credential says itself whose it is')
}

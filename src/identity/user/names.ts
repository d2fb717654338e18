/** Reads the names of users, to show them in rows that contain ids of users. */
import type { Users } from '../../core/users.ts'
import type { InstallationData } from '../../database/data.ts'
import { userNamesOf } from './sql.ts'

export function usersIn(installation: InstallationData): Pick<Users<never>, 'named'> {
  return { named: (tenantId, ids) => userNamesOf(installation.ofTenant(tenantId), ids) }
}

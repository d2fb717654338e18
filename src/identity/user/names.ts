/** The names of users, for rows that name them. */
import type { Users } from '../../core/users.ts'
import type { InstallationData } from '../../database/data.ts'
import { userNamesOf } from './sql.ts'

export function usersIn(installation: InstallationData): Pick<Users<never>, 'named'> {
  return { named: (tenantId, ids) => userNamesOf(installation.ofTenant(tenantId), ids) }
}

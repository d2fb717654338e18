import type { InstallationData } from '../../database/data.ts'
import { rolesOf } from './account.ts'
import { findAccounts } from './sql.ts'

export interface ActiveUser {
  id: string
  tenantId: string
  roles: string[]
}

/** Those of the users who exist and are not deactivated, of any tenant. */
export async function activeUsers(
  catalogue: InstallationData,
  ids: readonly string[],
): Promise<ActiveUser[]> {
  const accounts = (await findAccounts(catalogue, ids)).filter((account) => account.is_active)
  return accounts.map((account) => ({
    id: account.id,
    tenantId: account.tenant_id,
    roles: rolesOf(account),
  }))
}

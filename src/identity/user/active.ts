import { type AttributeSet, attributeSet, type DeclaredAttributes } from '../../core/attributes.ts'
import type { InstallationData } from '../../database/data.ts'
import { rolesOf } from './account.ts'
import { findAccounts } from './sql.ts'

export interface ActiveUser {
  id: string
  tenantId: string
  userName: string
  roles: string[]
  attributes: AttributeSet
}

/** @returns the users among `ids` who exist and are not deactivated, of any tenant */
export async function activeUsers(
  catalogue: InstallationData,
  ids: readonly string[],
  declared: DeclaredAttributes,
): Promise<ActiveUser[]> {
  const accounts = (await findAccounts(catalogue, ids)).filter((account) => account.is_active)
  return accounts.map((account) => ({
    id: account.id,
    tenantId: account.tenant_id,
    userName: account.user_name,
    roles: rolesOf(account),
    attributes: attributeSet(declared, account.attributes),
  }))
}

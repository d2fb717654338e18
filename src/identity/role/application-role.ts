/** The roles that an application declares, in the form of rows, so that code handles them like roles of a tenant. */
import type { ApplicationRoles } from '../../core/permission.ts'
import type { RoleRow } from './sql.ts'

/** A tenant may have an older role of the same name, which is used instead. */
export function rowsOfApplication(tenantId: string, roles: ApplicationRoles): RoleRow[] {
  return [...roles].map(([key, { name, permissions }]) => ({
    tenant_id: tenantId,
    name_key: key,
    name,
    description: null,
    permissions: JSON.stringify(permissions),
    created_at: '',
    updated_at: '',
    version: 0,
  }))
}

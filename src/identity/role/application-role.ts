/** The roles that an application declares, as rows like those of a tenant, which come before them. */
import type { ApplicationRoles } from '../../core/permission.ts'
import type { RoleRow } from './sql.ts'

/** A tenant's own role of the same name, from before, is used in place of one of these. */
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

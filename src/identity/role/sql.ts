import type { Insertable, Selectable, Updateable } from 'kysely'
import type { RoleTable } from '../../database/catalogue-tables.ts'
import type { InstallationData } from '../../database/data.ts'

export type RoleRow = Selectable<RoleTable>

/** Sorted by name. */
export function rolesOfTenant(catalogue: InstallationData, tenantId: string): Promise<RoleRow[]> {
  const query = catalogue.kysely.selectFrom('role').selectAll().where('tenant_id', '=', tenantId)
  return query.orderBy('name_key').execute()
}

/** @param key the folded name */
export async function findRole(
  catalogue: InstallationData,
  tenantId: string,
  key: string,
): Promise<RoleRow | null> {
  const query = catalogue.kysely.selectFrom('role').selectAll().where('tenant_id', '=', tenantId)
  return (await query.where('name_key', '=', key).executeTakeFirst()) ?? null
}

export async function insertRole(catalogue: InstallationData, row: Insertable<RoleTable>): Promise<void> {
  await catalogue.kysely.insertInto('role').values(row).execute()
}

export async function updateRoleRow(
  catalogue: InstallationData,
  { tenant_id, name_key }: Pick<RoleRow, 'tenant_id' | 'name_key'>,
  change: Updateable<RoleTable>,
): Promise<void> {
  const query = catalogue.kysely.updateTable('role').set(change).where('tenant_id', '=', tenant_id)
  await query.where('name_key', '=', name_key).execute()
}

export async function deleteRoleRow(
  catalogue: InstallationData,
  { tenant_id, name_key }: Pick<RoleRow, 'tenant_id' | 'name_key'>,
): Promise<void> {
  const query = catalogue.kysely.deleteFrom('role').where('tenant_id', '=', tenant_id)
  await query.where('name_key', '=', name_key).execute()
}

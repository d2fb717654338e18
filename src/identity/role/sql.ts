/** Statements on roles. `prepareInCatalogue` restricts its statements to one tenant, `prepareForInstallation` does not. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { CatalogueData, InstallationData } from '../../database/data.ts'
import { eachOf, pick, prepareForInstallation, prepareInCatalogue } from '../../database/prepared.ts'
import type { RoleTable } from './table.ts'

export type RoleRow = Selectable<RoleTable>

const allByName = prepareInCatalogue((tables) => tables.selectFrom('role').selectAll().orderBy('name_key'))

/** @returns the roles, sorted by name */
export function rolesOfTenant(catalogue: CatalogueData): Promise<RoleRow[]> {
  return catalogue.all(allByName, {})
}

/** The last role of the page before. */
interface RolePlace {
  tenantId: string
  key: string
  limit: number
}

const pageOfAll = prepareForInstallation((tables, p: RolePlace) =>
  tables
    .selectFrom('role')
    .select(['tenant_id', 'name_key', 'name', 'permissions'])
    .where((eb) =>
      eb.or([
        eb('tenant_id', '>', p.tenantId),
        eb.and([eb('tenant_id', '=', p.tenantId), eb('name_key', '>', p.key)]),
      ]),
    )
    .orderBy('tenant_id')
    .orderBy('name_key')
    .limit(p.limit),
)

/**
 * Reads the roles of all tenants, by tenant and name, as every version has stored them.
 * @param place the page begins after it
 */
export function rolePageOfAll(
  installation: InstallationData,
  place: RolePlace,
): Promise<Pick<RoleRow, 'tenant_id' | 'name_key' | 'name' | 'permissions'>[]> {
  return installation.all(pageOfAll, place)
}

const byName = prepareInCatalogue((tables, p: { key: string }) =>
  tables.selectFrom('role').selectAll().where('name_key', '=', p.key),
)

/** @param key the case-folded name */
export function findRole(catalogue: CatalogueData, key: string): Promise<RoleRow | null> {
  return catalogue.first(byName, { key })
}

const columns = [
  'name_key',
  'name',
  'description',
  'permissions',
  'created_at',
  'updated_at',
  'version',
] as const

const added = prepareInCatalogue((tables, p: Insertable<RoleTable>) =>
  tables.insertInto('role').values(pick(p, columns)),
)

export async function insertRole(catalogue: CatalogueData, row: Insertable<RoleTable>): Promise<void> {
  await catalogue.change(added, row)
}

type RoleChange = Omit<Updateable<RoleTable>, 'name_key'>

const changed = eachOf(
  prepareInCatalogue,
  (tables, p: RoleChange & { name_key: string }, _dialect, given) => {
    const { name_key, ...change } = pick(p, given)
    return tables.updateTable('role').set(change).where('name_key', '=', name_key)
  },
)

export async function updateRoleRow(
  catalogue: CatalogueData,
  key: string,
  change: RoleChange,
): Promise<void> {
  const parameters = { ...change, name_key: key }
  await catalogue.change(changed(parameters), parameters)
}

const removed = prepareInCatalogue((tables, p: { key: string }) =>
  tables.deleteFrom('role').where('name_key', '=', p.key),
)

export async function deleteRoleRow(catalogue: CatalogueData, key: string): Promise<void> {
  await catalogue.change(removed, { key })
}

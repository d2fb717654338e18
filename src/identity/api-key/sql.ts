/** Statements on API keys. `prepareInCatalogue` restricts its statements to one tenant, `prepareForInstallation` does not. */
import type { Selectable } from 'kysely'
import type { CatalogueData, InstallationData } from '../../database/data.ts'
import { inJsonRows, jsonOfIds } from '../../database/json-rows.ts'
import { pick, prepareForInstallation, prepareInCatalogue } from '../../database/prepared.ts'
import type { ApiKeyTable } from './table.ts'

export type ApiKeyRow = Selectable<ApiKeyTable>

const byDigest = prepareForInstallation((tables, p: { digest: string }) =>
  tables.selectFrom('api_key').selectAll().where('digest', '=', p.digest),
)

/** Finds a key of any tenant: the tenant is known only after the key is found. */
export function findApiKeyByDigest(
  installation: InstallationData,
  digest: string,
): Promise<ApiKeyRow | null> {
  return installation.first(byDigest, { digest })
}

const byId = prepareForInstallation((tables, p: { id: string }) =>
  tables.selectFrom('api_key').selectAll().where('id', '=', p.id),
)

/** Finds a key of any tenant. */
export function findApiKey(installation: InstallationData, id: string): Promise<ApiKeyRow | null> {
  return installation.first(byId, { id })
}

const byIds = prepareForInstallation((tables, p: { ids: string }, dialect) =>
  tables
    .selectFrom('api_key')
    .selectAll()
    .where(inJsonRows(dialect, 'id', { json: p.ids, name: 'id', type: 'id' })),
)

/** @returns the keys among `ids` that exist, of all tenants */
export async function findApiKeys(
  installation: InstallationData,
  ids: readonly string[],
): Promise<ApiKeyRow[]> {
  if (ids.length === 0) return []
  return installation.all(byIds, { ids: jsonOfIds(ids) })
}

const counted = prepareInCatalogue((tables) =>
  tables.selectFrom('api_key').select(({ fn }) => fn.countAll<number>().as('count')),
)

export async function countApiKeys(catalogue: CatalogueData): Promise<number> {
  return (await catalogue.first(counted, {}))?.count ?? 0
}

type NewApiKey = Omit<ApiKeyRow, 'tenant_id'>

const columns = [
  'id',
  'name',
  'prefix',
  'digest',
  'permissions',
  'acts_for',
  'attributes',
  'allowed_networks',
  'expires_at',
  'last_used_at',
  'created_at',
] as const

const added = prepareInCatalogue((tables, p: NewApiKey) =>
  tables.insertInto('api_key').values(pick(p, columns)),
)

export async function insertApiKey(catalogue: CatalogueData, row: NewApiKey): Promise<void> {
  await catalogue.change(added, row)
}

const deleted = prepareInCatalogue((tables, p: { id: string }) =>
  tables.deleteFrom('api_key').where('id', '=', p.id).returningAll(),
)

/** @returns the deleted row */
export function deleteApiKeyRow(catalogue: CatalogueData, id: string): Promise<ApiKeyRow | null> {
  return catalogue.first(deleted, { id })
}

const actingFor = prepareInCatalogue((tables, p: { userId: string }) =>
  tables.selectFrom('api_key').selectAll().where('acts_for', '=', p.userId).orderBy('id'),
)

/** Finds the keys that act for the user. A tenant has few keys: the index by tenant suffices. */
export function apiKeysActingFor(catalogue: CatalogueData, userId: string): Promise<ApiKeyRow[]> {
  return catalogue.all(actingFor, { userId })
}

const allDeleted = prepareInCatalogue((tables) => tables.deleteFrom('api_key'))

export async function deleteApiKeysOfTenant(catalogue: CatalogueData): Promise<void> {
  await catalogue.change(allDeleted, {})
}

const used = prepareInCatalogue((tables, p: { id: string; moment: string }) =>
  tables
    .updateTable('api_key')
    .set({ last_used_at: p.moment })
    .where('id', '=', p.id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', p.moment)])),
)

/** Records the moment of the last use, unless another instance has recorded a later one. */
export async function setLastUse(catalogue: CatalogueData, id: string, moment: string): Promise<void> {
  await catalogue.change(used, { id, moment })
}

/** @returns `null` for any address */
export function networksOf({ allowed_networks: text }: Pick<ApiKeyRow, 'allowed_networks'>): string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]) // written as an array of texts
}

import type { Insertable, Selectable } from 'kysely'
import type { ApiKeyTable } from '../../database/catalogue-tables.ts'
import type { InstallationData } from '../../database/data.ts'

export type ApiKeyRow = Selectable<ApiKeyTable>

/** In the order of creation. */
export function apiKeysOfTenant(catalogue: InstallationData, tenantId: string): Promise<ApiKeyRow[]> {
  const query = catalogue.kysely.selectFrom('api_key').selectAll().where('tenant_id', '=', tenantId)
  return query.orderBy('id').execute()
}

/** Of any tenant: the key itself says which. */
export async function findApiKeyByDigest(
  catalogue: InstallationData,
  digest: string,
): Promise<ApiKeyRow | null> {
  const query = catalogue.kysely.selectFrom('api_key').selectAll().where('digest', '=', digest)
  return (await query.executeTakeFirst()) ?? null
}

export async function findApiKey(catalogue: InstallationData, id: string): Promise<ApiKeyRow | null> {
  const query = catalogue.kysely.selectFrom('api_key').selectAll().where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

/** Those that exist. */
export async function findApiKeys(catalogue: InstallationData, ids: readonly string[]): Promise<ApiKeyRow[]> {
  if (ids.length === 0) return []
  return catalogue.kysely
    .selectFrom('api_key')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()
}

export async function countApiKeys(catalogue: InstallationData, tenantId: string): Promise<number> {
  const query = catalogue.kysely.selectFrom('api_key').where('tenant_id', '=', tenantId)
  const { count } = await query.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertApiKey(catalogue: InstallationData, row: Insertable<ApiKeyTable>): Promise<void> {
  await catalogue.kysely.insertInto('api_key').values(row).execute()
}

/** @returns the deleted row */
export async function deleteApiKeyRow(
  catalogue: InstallationData,
  tenantId: string,
  id: string,
): Promise<ApiKeyRow | null> {
  const query = catalogue.kysely.deleteFrom('api_key').where('tenant_id', '=', tenantId).where('id', '=', id)
  return (await query.returningAll().executeTakeFirst()) ?? null
}

export async function deleteApiKeysOfTenant(catalogue: InstallationData, tenantId: string): Promise<void> {
  await catalogue.kysely.deleteFrom('api_key').where('tenant_id', '=', tenantId).execute()
}

/** Another instance may have recorded a later use. */
export async function setLastUse(catalogue: InstallationData, id: string, moment: string): Promise<void> {
  const query = catalogue.kysely.updateTable('api_key').set({ last_used_at: moment }).where('id', '=', id)
  await query
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', moment)]))
    .execute()
}

/** @returns `null` for any address */
export function networksOf({ allowed_networks: text }: Pick<ApiKeyRow, 'allowed_networks'>): string[] | null {
  return text === null ? null : (JSON.parse(text) as string[]) // written as an array of texts
}

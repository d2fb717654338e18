import type { Selectable } from 'kysely'
import type { CatalogueData } from '../../../database/data.ts'
import type { ProviderClientKeyTable } from '../../../database/identity-tables.ts'

export type ClientKeyRow = Selectable<ProviderClientKeyTable>

/** The one that signs first. */
export function clientKeysOf(catalogue: CatalogueData, tenantId: string): Promise<ClientKeyRow[]> {
  const query = catalogue.kysely
    .selectFrom('provider_client_key')
    .selectAll()
    .where('tenant_id', '=', tenantId)
  return query.orderBy('is_signing', 'desc').execute()
}

export async function insertClientKey(catalogue: CatalogueData, row: ClientKeyRow): Promise<void> {
  await catalogue.kysely.insertInto('provider_client_key').values(row).execute()
}

/** @param except a key that stays; `null` for none */
export async function deleteClientKeys(
  catalogue: CatalogueData,
  tenantId: string,
  { except }: { except: string | null },
): Promise<void> {
  let query = catalogue.kysely.deleteFrom('provider_client_key').where('tenant_id', '=', tenantId)
  if (except !== null) query = query.where('id', '!=', except)
  await query.execute()
}

export async function markSigning(catalogue: CatalogueData, tenantId: string, id: string): Promise<void> {
  await catalogue.kysely
    .updateTable('provider_client_key')
    .set({ is_signing: true })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

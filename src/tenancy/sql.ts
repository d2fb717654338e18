import type { Insertable, Updateable } from 'kysely'
import type { TenantTable } from '../database/catalogue-tables.ts'
import type { CatalogueData } from '../database/data.ts'

export async function findConnectionString(
  catalogue: CatalogueData,
  key: string,
): Promise<Uint8Array | null> {
  const row = await catalogue.kysely
    .selectFrom('tenant')
    .select('connection_string')
    .where('id_key', '=', key)
    .executeTakeFirst()
  return row?.connection_string ?? null
}

/** @returns what is sealed, for tenants in the order of their keys that have a database of their own */
export async function connectionStringPage(
  catalogue: CatalogueData,
  after: string,
  limit: number,
): Promise<{ id: string; id_key: string; connection_string: Uint8Array }[]> {
  return catalogue.kysely
    .selectFrom('tenant')
    .select(['id', 'id_key', 'connection_string'])
    .where('connection_string', 'is not', null)
    .where('id_key', '>', after)
    .orderBy('id_key')
    .limit(limit)
    .$narrowType<{ connection_string: Uint8Array }>()
    .execute()
}

export async function insertTenant(catalogue: CatalogueData, row: Insertable<TenantTable>): Promise<void> {
  await catalogue.kysely.insertInto('tenant').values(row).execute()
}

export async function updateTenantRow(
  catalogue: CatalogueData,
  key: string,
  change: Updateable<TenantTable>,
): Promise<void> {
  await catalogue.kysely.updateTable('tenant').set(change).where('id_key', '=', key).execute()
}

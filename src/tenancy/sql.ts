import type { Insertable, Selectable, Updateable } from 'kysely'
import type { TenantMoveTable, TenantTable } from '../database/catalogue-tables.ts'
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

/** @returns the encrypted connection strings of tenants with their own database, in the order of their keys */
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

/** @returns the tenants in the shared database, in the order of their keys */
export async function sharedTenantPage(
  catalogue: CatalogueData,
  after: string,
  limit: number,
): Promise<{ id: string; id_key: string }[]> {
  return catalogue.kysely
    .selectFrom('tenant')
    .select(['id', 'id_key'])
    .where('connection_string', 'is', null)
    .where('id_key', '>', after)
    .orderBy('id_key')
    .limit(limit)
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

export interface ErasureRow {
  /** `null` when no erasure is in progress. */
  since: string | null
  /** JSON; `null` before the rows are counted. */
  rows: string | null
}

/** @param key the tenant's folded id */
export async function findErasure(catalogue: CatalogueData, key: string): Promise<ErasureRow> {
  const row = await catalogue.kysely
    .selectFrom('tenant')
    .select(['erasing_since as since', 'erased_rows as rows'])
    .where('id_key', '=', key)
    .executeTakeFirst()
  return row ?? { since: null, rows: null }
}

export async function deleteTenantRow(catalogue: CatalogueData, key: string): Promise<void> {
  await catalogue.kysely.deleteFrom('tenant').where('id_key', '=', key).execute()
}

export type MoveRow = Selectable<TenantMoveTable>

/** @param key the tenant's folded id */
export async function findMove(catalogue: CatalogueData, key: string): Promise<MoveRow | null> {
  const row = await catalogue.kysely
    .selectFrom('tenant_move')
    .selectAll()
    .where('tenant_key', '=', key)
    .executeTakeFirst()
  return row ?? null
}

/** Tenants whose move out of their own database is not switched yet. Only that database knows whether it is fenced. */
export async function tenantsBeforeSwitch(catalogue: CatalogueData): Promise<string[]> {
  const rows = await catalogue.kysely
    .selectFrom('tenant_move')
    .select('tenant_key')
    .where('phase', '=', 'COPYING')
    .where('source', 'is not', null)
    .execute()
  return rows.map(({ tenant_key }) => tenant_key)
}

export async function insertMove(catalogue: CatalogueData, row: Insertable<TenantMoveTable>): Promise<void> {
  await catalogue.kysely.insertInto('tenant_move').values(row).execute()
}

export async function updateMove(
  catalogue: CatalogueData,
  key: string,
  change: Updateable<TenantMoveTable>,
): Promise<void> {
  await catalogue.kysely.updateTable('tenant_move').set(change).where('tenant_key', '=', key).execute()
}

export async function deleteMove(catalogue: CatalogueData, key: string): Promise<void> {
  await catalogue.kysely.deleteFrom('tenant_move').where('tenant_key', '=', key).execute()
}

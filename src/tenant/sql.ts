import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Tenant } from '../context.ts'
import type { CatalogueData } from '../database/data.ts'
import type { TenantTable } from '../database/tenant-tables.ts'

const columns = [
  'id',
  'name',
  'subdomain',
  'plan',
  'is_active',
  'created_at',
  'version',
  'connection_string',
  'paused_until',
  'erasing_since',
] as const

type Row = Pick<Selectable<TenantTable>, (typeof columns)[number]>

/** @param key the folded id */
export async function findTenant(catalogue: CatalogueData, key: string): Promise<Tenant | null> {
  const row = await byKey(catalogue, key).executeTakeFirst()
  return row === undefined ? null : toTenant(row)
}

/** Inside a transaction: nobody else changes the tenant until it ends. */
export async function lockTenant(catalogue: CatalogueData, key: string): Promise<Tenant | null> {
  const query = byKey(catalogue, key)
  const postgres = catalogue.executor.dialect === 'postgres' // SQLite's writer is alone anyway
  const row = await (postgres ? query.forUpdate() : query).executeTakeFirst()
  return row === undefined ? null : toTenant(row)
}

export async function findTenantBySubdomain(catalogue: CatalogueData, label: string): Promise<Tenant | null> {
  const row = await catalogue.kysely
    .selectFrom('tenant')
    .select(columns)
    .where('subdomain', '=', label)
    .executeTakeFirst()
  return row === undefined ? null : toTenant(row)
}

export async function tenantPage(
  catalogue: CatalogueData,
  after: string,
  limit: number | null,
): Promise<Tenant[]> {
  const query = catalogue.kysely
    .selectFrom('tenant')
    .select(columns)
    .where('id_key', '>', after)
    .orderBy('id_key')
  const rows = await (limit === null ? query : query.limit(limit)).execute()
  return rows.map(toTenant)
}

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

function byKey(catalogue: CatalogueData, key: string) {
  return catalogue.kysely.selectFrom('tenant').select(columns).where('id_key', '=', key)
}

function toTenant(row: Row): Tenant {
  return {
    id: row.id,
    name: row.name,
    subdomain: row.subdomain,
    plan: row.plan,
    isActive: row.is_active,
    createdAt: row.created_at,
    version: row.version,
    hasOwnDatabase: row.connection_string !== null,
    pausedUntil: row.paused_until,
    isBeingErased: row.erasing_since !== null,
  }
}

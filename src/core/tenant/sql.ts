import type { Selectable } from 'kysely'
import type { TenantTable } from '../../database/catalogue-tables.ts'
import type { InstallationData } from '../../database/data.ts'
import type { Tenant } from '../context.ts'
import { foldTenantId, isTenantId } from './tenant-id.ts'

const columns = [
  'id',
  'id_key',
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
export async function findTenant(catalogue: InstallationData, key: string): Promise<Tenant | null> {
  const row = await byKey(catalogue, key).executeTakeFirst()
  return row === undefined ? null : toTenant(row)
}

/**
 * Inside a transaction: locks the tenant until the transaction ends. Rows that refer to it can be inserted meanwhile:
 * otherwise whoever waits for another lock of the tenant would deadlock with whoever holds that and inserts one.
 */
export async function lockTenant(catalogue: InstallationData, key: string): Promise<Tenant | null> {
  const query = byKey(catalogue, key)
  const postgres = catalogue.executor.dialect === 'postgres' // SQLite has one writer
  const row = await (postgres ? query.forNoKeyUpdate() : query).executeTakeFirst()
  return row === undefined ? null : toTenant(row)
}

export async function findTenantBySubdomain(
  catalogue: InstallationData,
  label: string,
): Promise<Tenant | null> {
  const row = await catalogue.kysely
    .selectFrom('tenant')
    .select(columns)
    .where('subdomain', '=', label)
    .executeTakeFirst()
  return row === undefined ? null : toTenant(row)
}

export async function tenantPage(
  catalogue: InstallationData,
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

/** @param keys folded ids */
export async function tenantsOf(catalogue: InstallationData, keys: readonly string[]): Promise<Tenant[]> {
  if (keys.length === 0) return []
  const query = catalogue.kysely
    .selectFrom('tenant')
    .select(columns)
    .where('id_key', 'in', [...keys])
  return (await query.execute()).map(toTenant)
}

function byKey(catalogue: InstallationData, key: string) {
  return catalogue.kysely.selectFrom('tenant').select(columns).where('id_key', '=', key)
}

/** @throws Error for an id that no tenant has: it names the folder of the tenant's files */
function toTenant(row: Row): Tenant {
  if (!isTenantId(row.id) || foldTenantId(row.id) !== row.id_key)
    throw new Error(`No tenant has this id: ${JSON.stringify(row.id.slice(0, 100))}.`)
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

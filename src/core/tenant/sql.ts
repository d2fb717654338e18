import type { Selectable } from 'kysely'
import type { CatalogueData, InstallationData } from '../../database/data.ts'
import { inJsonRows } from '../../database/json-rows.ts'
import { eachOf, prepareForInstallation, prepareInCatalogue } from '../../database/prepared.ts'
import type { Tenant } from '../context.ts'
import type { TenantLogoTable, TenantTable } from './table.ts'
import { foldTenantId, isTenantId } from './tenant-id.ts'

/** The statements that find, lock and list tenants. */

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

const byKey = prepareForInstallation((tables, p: { key: string }) =>
  tables.selectFrom('tenant').select(columns).where('id_key', '=', p.key),
)

/** @param key the case-folded id */
export async function findTenant(installation: InstallationData, key: string): Promise<Tenant | null> {
  return tenantOf(await installation.first(byKey, { key }))
}

const locked = prepareForInstallation((tables, p: { key: string }, dialect) => {
  const query = tables.selectFrom('tenant').select(columns).where('id_key', '=', p.key)
  return dialect === 'postgres' ? query.forNoKeyUpdate() : query // SQLite has one writer
})

/**
 * Locks the tenant until the transaction ends. Other transactions can still insert rows that refer to the tenant:
 * such a transaction may have an advisory lock on the tenant, for which this one waits, and each would wait for the
 * other.
 */
export async function lockTenant(installation: InstallationData, key: string): Promise<Tenant | null> {
  return tenantOf(await installation.first(locked, { key }))
}

const bySubdomain = prepareForInstallation((tables, p: { label: string }) =>
  tables.selectFrom('tenant').select(columns).where('subdomain', '=', p.label),
)

export async function findTenantBySubdomain(
  installation: InstallationData,
  label: string,
): Promise<Tenant | null> {
  return tenantOf(await installation.first(bySubdomain, { label }))
}

const page = eachOf(
  prepareForInstallation,
  (tables, p: { after: string; limit?: number }, _dialect, given) => {
    const query = tables.selectFrom('tenant').select(columns).where('id_key', '>', p.after).orderBy('id_key')
    return given.has('limit') ? query.limit(p.limit ?? 0) : query
  },
)

/** @param limit `Infinity` for all tenants */
export async function tenantPage(
  installation: InstallationData,
  after: string,
  limit: number,
): Promise<Tenant[]> {
  const parameters = { after, ...(Number.isFinite(limit) && { limit }) }
  return (await installation.all(page(parameters), parameters)).map(toTenant)
}

const counted = prepareForInstallation((tables) =>
  tables.selectFrom('tenant').select(({ fn }) => fn.countAll<number>().as('count')),
)

export async function countTenants(installation: InstallationData): Promise<number> {
  return Number((await installation.first(counted, {}))?.count ?? 0)
}

const byKeys = prepareForInstallation((tables, p: { keys: string }, dialect) =>
  tables
    .selectFrom('tenant')
    .select(columns)
    .where(inJsonRows(dialect, 'id_key', { json: p.keys, name: 'key', type: 'key' })),
)

/** @param keys case-folded ids */
export async function tenantsOf(installation: InstallationData, keys: readonly string[]): Promise<Tenant[]> {
  if (keys.length === 0) return []
  return (await installation.all(byKeys, { keys: JSON.stringify(keys.map((key) => ({ key }))) })).map(
    toTenant,
  )
}

function tenantOf(row: Row | null): Tenant | null {
  return row === null ? null : toTenant(row)
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

const logos = prepareInCatalogue((tables) =>
  tables.selectFrom('tenant_logo').select(['theme', 'type', 'sha256']).orderBy('theme'),
)

export type LogoRow = Pick<Selectable<TenantLogoTable>, 'theme' | 'type' | 'sha256'>

/** The logos of the tenant, without their content. */
export function findLogos(catalogue: CatalogueData): Promise<LogoRow[]> {
  return catalogue.all(logos, {})
}

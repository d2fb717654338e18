import type { Insertable, Selectable, Updateable } from 'kysely'
import type { TenantMoveTable, TenantTable } from '../database/catalogue-tables.ts'
import type { InstallationData } from '../database/data.ts'
import type { DatabaseIdentity } from '../database/executor.ts'
import type { KnownDatabase } from './expected-database.ts'

export async function findConnectionString(
  catalogue: InstallationData,
  key: string,
): Promise<Uint8Array | null> {
  const row = await catalogue.kysely
    .selectFrom('tenant')
    .select('connection_string')
    .where('id_key', '=', key)
    .executeTakeFirst()
  return row?.connection_string ?? null
}

export interface OwnDatabaseRow {
  /** The id of the tenant. */
  id: string
  /** Encrypted. */
  connection: Uint8Array
  known: KnownDatabase
}

/** @returns `null` for an unknown tenant or one without its own database */
export async function findOwnDatabase(
  catalogue: InstallationData,
  key: string,
): Promise<OwnDatabaseRow | null> {
  const row = await catalogue.kysely
    .selectFrom('tenant')
    .leftJoin('tenant_database', 'tenant_database.tenant_key', 'tenant.id_key')
    .select(['tenant.id', 'connection_string', 'tenant_key', 'database_id', 'generation'])
    .where('id_key', '=', key)
    .executeTakeFirst()
  if (row === undefined || row.connection_string === null) return null
  const known = row.tenant_key === null ? null : { id: row.database_id, generation: Number(row.generation) }
  return { id: row.id, connection: row.connection_string, known }
}

/**
 * In the transaction that changes the connection string.
 * @param database that the tenant has from now on: its identity, `new` for one to be created, `null` for the shared one
 */
export async function assignDatabase(
  catalogue: InstallationData,
  key: string,
  database: Pick<DatabaseIdentity, 'id' | 'generation'> | 'new' | null,
): Promise<void> {
  await catalogue.kysely.deleteFrom('tenant_database').where('tenant_key', '=', key).execute()
  if (database === null) return
  const { id, generation } = database === 'new' ? { id: null, generation: 0 } : database
  const row = { tenant_key: key, database_id: id, generation }
  await catalogue.kysely.insertInto('tenant_database').values(row).execute()
}

/** Of all tenants in the database. */
export async function raiseGeneration(
  catalogue: InstallationData,
  { id, generation }: Pick<DatabaseIdentity, 'id' | 'generation'>,
): Promise<void> {
  await catalogue.kysely
    .updateTable('tenant_database')
    .set({ generation })
    .where('database_id', '=', id)
    .where('generation', '<', generation)
    .execute()
}

/** For a database that an operator takes as it is, whichever tenants are in it. */
export async function lowerGeneration(
  catalogue: InstallationData,
  { id, generation }: Pick<DatabaseIdentity, 'id' | 'generation'>,
): Promise<void> {
  await catalogue.kysely
    .updateTable('tenant_database')
    .set({ generation })
    .where('database_id', '=', id)
    .execute()
}

/** @returns the encrypted connection strings of tenants with their own database, in the order of their keys */
export async function connectionStringPage(
  catalogue: InstallationData,
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
  catalogue: InstallationData,
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

export async function insertTenant(catalogue: InstallationData, row: Insertable<TenantTable>): Promise<void> {
  await catalogue.kysely.insertInto('tenant').values(row).execute()
}

export async function updateTenantRow(
  catalogue: InstallationData,
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
export async function findErasure(catalogue: InstallationData, key: string): Promise<ErasureRow> {
  const row = await catalogue.kysely
    .selectFrom('tenant')
    .select(['erasing_since as since', 'erased_rows as rows'])
    .where('id_key', '=', key)
    .executeTakeFirst()
  return row ?? { since: null, rows: null }
}

export async function deleteTenantRow(catalogue: InstallationData, key: string): Promise<void> {
  await catalogue.kysely.deleteFrom('tenant').where('id_key', '=', key).execute()
}

export type MoveRow = Selectable<TenantMoveTable>

/** @param key the tenant's folded id */
export async function findMove(catalogue: InstallationData, key: string): Promise<MoveRow | null> {
  const row = await catalogue.kysely
    .selectFrom('tenant_move')
    .selectAll()
    .where('tenant_key', '=', key)
    .executeTakeFirst()
  return row ?? null
}

/** Tenants whose move out of their own database is not switched yet. Only that database knows whether it is fenced. */
export async function tenantsBeforeSwitch(catalogue: InstallationData): Promise<string[]> {
  const rows = await catalogue.kysely
    .selectFrom('tenant_move')
    .select('tenant_key')
    .where('phase', '=', 'COPYING')
    .where('source', 'is not', null)
    .execute()
  return rows.map(({ tenant_key }) => tenant_key)
}

export async function insertMove(
  catalogue: InstallationData,
  row: Insertable<TenantMoveTable>,
): Promise<void> {
  await catalogue.kysely.insertInto('tenant_move').values(row).execute()
}

export async function updateMove(
  catalogue: InstallationData,
  key: string,
  change: Updateable<TenantMoveTable>,
): Promise<void> {
  await catalogue.kysely.updateTable('tenant_move').set(change).where('tenant_key', '=', key).execute()
}

export async function deleteMove(catalogue: InstallationData, key: string): Promise<void> {
  await catalogue.kysely.deleteFrom('tenant_move').where('tenant_key', '=', key).execute()
}

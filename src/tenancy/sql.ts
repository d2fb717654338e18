/**
 * Statements of the catalogue on tenants, their own databases, and their moves. `key`
 * is the case-folded id of a tenant.
 */
import type { Selectable } from 'kysely'
import type { TenantTable } from '../core/tenant/table.ts'
import type { InstallationData } from '../database/data.ts'
import type { DatabaseIdentity } from '../database/executor.ts'
import { eachOf, pick, prepareForInstallation } from '../database/prepared.ts'
import type { KnownDatabase } from './expected-database.ts'
import type { TenantMoveTable } from './table.ts'

const connectionString = prepareForInstallation((tables, p: { key: string }) =>
  tables.selectFrom('tenant').select('connection_string').where('id_key', '=', p.key),
)

export async function findConnectionString(
  installation: InstallationData,
  key: string,
): Promise<Uint8Array | null> {
  return (await installation.first(connectionString, { key }))?.connection_string ?? null
}

export interface OwnDatabaseRow {
  /** The id of the tenant. */
  id: string
  /** The encrypted connection string. */
  connection: Uint8Array
  known: KnownDatabase
}

const ownDatabase = prepareForInstallation((tables, p: { key: string }) =>
  tables
    .selectFrom('tenant')
    .leftJoin('tenant_database', 'tenant_database.tenant_key', 'tenant.id_key')
    .select(['tenant.id', 'connection_string', 'tenant_key', 'database_id', 'generation'])
    .where('id_key', '=', p.key),
)

/** @returns `null` for an unknown tenant or one without its own database */
export async function findOwnDatabase(
  installation: InstallationData,
  key: string,
): Promise<OwnDatabaseRow | null> {
  const row = await installation.first(ownDatabase, { key })
  if (row === null || row.connection_string === null) return null
  const known = row.tenant_key === null ? null : { id: row.database_id, generation: Number(row.generation) }
  return { id: row.id, connection: row.connection_string, known }
}

const unassigned = prepareForInstallation((tables, p: { key: string }) =>
  tables.deleteFrom('tenant_database').where('tenant_key', '=', p.key),
)

const assigned = prepareForInstallation((tables, p: { key: string; id: string | null; generation: number }) =>
  tables
    .insertInto('tenant_database')
    .values({ tenant_key: p.key, database_id: p.id, generation: p.generation }),
)

/**
 * Records which database the tenant has, in the transaction that changes its connection string.
 * @param database its identity; `new` for a database that is not created yet, `null` for the shared database
 */
export async function assignDatabase(
  installation: InstallationData,
  key: string,
  database: Pick<DatabaseIdentity, 'id' | 'generation'> | 'new' | null,
): Promise<void> {
  await installation.change(unassigned, { key })
  if (database === null) return
  const { id, generation } = database === 'new' ? { id: null, generation: 0 } : database
  await installation.change(assigned, { key, id, generation })
}

type Generation = Pick<DatabaseIdentity, 'id' | 'generation'>

const raised = prepareForInstallation((tables, p: Generation) =>
  tables
    .updateTable('tenant_database')
    .set({ generation: p.generation })
    .where('database_id', '=', p.id)
    .where('generation', '<', p.generation),
)

/** Raises the generation of all tenants in the database. */
export async function raiseGeneration(installation: InstallationData, identity: Generation): Promise<void> {
  await installation.change(raised, identity)
}

const lowered = prepareForInstallation((tables, p: Generation) =>
  tables.updateTable('tenant_database').set({ generation: p.generation }).where('database_id', '=', p.id),
)

/** Accepts an older copy as the database of all its tenants, because an operator has decided so. */
export async function lowerGeneration(installation: InstallationData, identity: Generation): Promise<void> {
  await installation.change(lowered, identity)
}

interface PageRange {
  after: string
  limit: number
}

const connectionStrings = prepareForInstallation((tables, p: PageRange) =>
  tables
    .selectFrom('tenant')
    .select(['id', 'id_key', 'connection_string'])
    .where('connection_string', 'is not', null)
    .where('id_key', '>', p.after)
    .orderBy('id_key')
    .limit(p.limit)
    .$narrowType<{ connection_string: Uint8Array }>(),
)

/** @returns the encrypted connection strings of tenants with their own database, in the order of their keys */
export async function connectionStringPage(
  installation: InstallationData,
  after: string,
  limit: number,
): Promise<{ id: string; id_key: string; connection_string: Uint8Array }[]> {
  return installation.all(connectionStrings, { after, limit })
}

const inSharedDatabase = prepareForInstallation((tables, p: PageRange) =>
  tables
    .selectFrom('tenant')
    .select(['id', 'id_key'])
    .where('connection_string', 'is', null)
    .where('id_key', '>', p.after)
    .orderBy('id_key')
    .limit(p.limit),
)

/** @returns the tenants in the shared database, in the order of their keys */
export async function sharedTenantPage(
  installation: InstallationData,
  after: string,
  limit: number,
): Promise<{ id: string; id_key: string }[]> {
  return installation.all(inSharedDatabase, { after, limit })
}

const newColumns = [
  'id',
  'id_key',
  'name',
  'subdomain',
  'plan',
  'connection_string',
  'is_active',
  'created_at',
  'version',
] as const

type NewTenant = Pick<Selectable<TenantTable>, (typeof newColumns)[number]>

const added = prepareForInstallation((tables, p: NewTenant) =>
  tables.insertInto('tenant').values(pick(p, newColumns)),
)

export async function insertTenant(installation: InstallationData, row: NewTenant): Promise<void> {
  await installation.change(added, row)
}

type TenantChange = Partial<Omit<Selectable<TenantTable>, 'id' | 'id_key'>>

const changed = eachOf(
  prepareForInstallation,
  (tables, p: TenantChange & { key: string }, _dialect, given) => {
    const { key, ...change } = pick(p, given)
    return tables.updateTable('tenant').set(change).where('id_key', '=', key)
  },
)

export async function updateTenantRow(
  installation: InstallationData,
  key: string,
  change: TenantChange,
): Promise<void> {
  const parameters = { ...change, key }
  await installation.change(changed(parameters), parameters)
}

export interface ErasureRow {
  /** `null` when no erasure is in progress. */
  since: string | null
  /** JSON; `null` before the rows are counted. */
  rows: string | null
}

const erasure = prepareForInstallation((tables, p: { key: string }) =>
  tables
    .selectFrom('tenant')
    .select(['erasing_since as since', 'erased_rows as rows'])
    .where('id_key', '=', p.key),
)

/** @param key the tenant's case-folded id */
export async function findErasure(installation: InstallationData, key: string): Promise<ErasureRow> {
  return (await installation.first(erasure, { key })) ?? { since: null, rows: null }
}

const removed = prepareForInstallation((tables, p: { key: string }) =>
  tables.deleteFrom('tenant').where('id_key', '=', p.key),
)

export async function deleteTenantRow(installation: InstallationData, key: string): Promise<void> {
  await installation.change(removed, { key })
}

export type MoveRow = Selectable<TenantMoveTable>

const move = prepareForInstallation((tables, p: { key: string }) =>
  tables.selectFrom('tenant_move').selectAll().where('tenant_key', '=', p.key),
)

/** @param key the tenant's case-folded id */
export function findMove(installation: InstallationData, key: string): Promise<MoveRow | null> {
  return installation.first(move, { key })
}

const beforeSwitch = prepareForInstallation((tables) =>
  tables
    .selectFrom('tenant_move')
    .select('tenant_key')
    .where('phase', '=', 'COPYING')
    .where('source', 'is not', null),
)

/**
 * Tenants whose move out of their own database is not switched to the target yet. Such a database may refuse writes of
 * the tenant, and only the database itself knows whether it does.
 */
export async function tenantsBeforeSwitch(installation: InstallationData): Promise<string[]> {
  return (await installation.all(beforeSwitch, {})).map(({ tenant_key }) => tenant_key)
}

const moveColumns = ['tenant_key', 'id', 'phase', 'source', 'target', 'started_at', 'switched_at'] as const

const newMove = prepareForInstallation((tables, p: MoveRow) =>
  tables.insertInto('tenant_move').values(pick(p, moveColumns)),
)

export async function insertMove(installation: InstallationData, row: MoveRow): Promise<void> {
  await installation.change(newMove, row)
}

type MoveChange = Partial<Pick<MoveRow, 'phase' | 'switched_at'>>

const changedMove = eachOf(
  prepareForInstallation,
  (tables, p: MoveChange & { key: string }, _dialect, given) => {
    const { key, ...change } = pick(p, given)
    return tables.updateTable('tenant_move').set(change).where('tenant_key', '=', key)
  },
)

export async function updateMove(
  installation: InstallationData,
  key: string,
  change: MoveChange,
): Promise<void> {
  const parameters = { ...change, key }
  await installation.change(changedMove(parameters), parameters)
}

const endedMove = prepareForInstallation((tables, p: { key: string }) =>
  tables.deleteFrom('tenant_move').where('tenant_key', '=', p.key),
)

export async function deleteMove(installation: InstallationData, key: string): Promise<void> {
  await installation.change(endedMove, { key })
}

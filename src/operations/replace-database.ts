/** Lets an operator resolve that a tenant's own database is missing, or is not the one that the catalogue knows. */
import { recordAudit } from '../core/audit/audit.ts'
import type { Context, Tenant } from '../core/context.ts'
import { refusal } from '../core/errors.ts'
import type { DatabaseState } from '../core/tenant/database-state.ts'
import { registry, tenantChange } from '../core/tenant/directory.ts'
import { foldTenantId } from '../core/tenant/tenant-id.ts'
import { inCatalogue } from '../core/transaction.ts'
import type { DatabaseIdentity } from '../database/executor.ts'
import {
  assignDatabase,
  findConnectionString,
  findOwnDatabase,
  lowerGeneration,
  type OwnDatabaseRow,
} from '../tenancy/sql.ts'
import { refuseWhileErased, refuseWhileMoved } from '../tenancy/tenant.ts'
import { openStored } from './tenant-database.ts'
import { withTenantLock } from './tenant-lock.ts'

/**
 * Lets an empty database be created, at its next use, in place of one that is missing: the tenant's rows are lost.
 * @throws ServiceError `notFound`, `invalid` for the shared database, `conflict` unless it is missing; DatabaseUnavailable
 */
export function allowEmptyDatabase(context: Context, id: string): Promise<void> {
  return withOwnDatabase(context, id, async (tenant, row) => {
    await requireStatus(context, tenant, ['missing'])
    await assignRecorded(context, tenant, { row, database: 'new' })
  })
}

/**
 * Takes the database that is there, which is foreign or stale, as the tenant's own from now on.
 * @throws ServiceError `notFound`, `invalid` for the shared database, `conflict` for another state; DatabaseUnavailable
 */
export function acceptDatabase(context: Context, id: string): Promise<void> {
  return withOwnDatabase(context, id, async (tenant, row) => {
    await requireStatus(context, tenant, ['foreign', 'stale'])
    await assignRecorded(context, tenant, { row, database: await adopt(context, row) })
  })
}

/** Accepts the database of a restore in any state. It leaves no record, because the catalogue was restored as well. */
export async function acceptRestored(context: Context, { id }: Tenant): Promise<void> {
  const row = await findOwnDatabase(registry(context), foldTenantId(id))
  if (row === null) return
  const database = await adopt(context, row)
  await inCatalogue(context, (inside) => assign(inside, id, { row, database }))
}

function withOwnDatabase(
  context: Context,
  id: string,
  work: (tenant: Tenant, row: OwnDatabaseRow) => Promise<void>,
): Promise<void> {
  return withTenantLock(context, id, {
    refusal: 'The host tenant has no database of its own.',
    allowUnknownTables: false,
    work: async (tenant) => {
      const key = foldTenantId(tenant.id)
      refuseWhileErased(tenant)
      await refuseWhileMoved(context, key)
      const row = await findOwnDatabase(registry(context), key)
      if (row === null) throw refusal('noOwnDatabase')
      await work(tenant, row)
    },
  })
}

async function requireStatus(
  { shared }: Context,
  tenant: Tenant,
  accepted: readonly DatabaseState['status'][],
): Promise<void> {
  const { status } = await shared.tenantDatabases.state(tenant)
  if (accepted.includes(status)) return
  throw refusal('otherDatabaseState', { status, accepted: accepted.join(' or ') })
}

async function adopt(context: Context, { connection }: OwnDatabaseRow): Promise<DatabaseIdentity | null> {
  const { database, identity } = await openStored(context, connection, { as: 'adopted' })
  await database.close()
  return identity
}

interface Assignment {
  row: OwnDatabaseRow
  database: DatabaseIdentity | 'new' | null
}

async function assignRecorded(context: Context, { id }: Tenant, assignment: Assignment): Promise<void> {
  await inCatalogue(context, async (inside) => {
    await assign(inside, id, assignment)
    const entry = { action: 'tenant.updated', tenantId: id, subjectType: 'tenant', subjectId: id } as const
    await recordAudit(inside, { ...entry, detail: { changed: ['database'] } })
  })
}

async function assign(inside: Context, id: string, { row, database }: Assignment): Promise<void> {
  const key = foldTenantId(id)
  const present = await findConnectionString(registry(inside), key)
  if (present === null || Buffer.compare(present, row.connection) !== 0) throw refusal('otherDatabase')
  await assignDatabase(registry(inside), key, database)
  if (database !== null && database !== 'new') await lowerGeneration(registry(inside), database)
  await inside.transaction?.announce(tenantChange(id))
}

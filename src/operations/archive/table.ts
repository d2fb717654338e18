/** The tables of a tenant that an archive holds. */
import { eventTable, isUndispatched } from '../../core/events/undispatched.ts'
import { recordTables } from '../../core/idempotency/idempotency.ts'
import type { Executor } from '../../database/executor.ts'
import type { Migration } from '../../database/migration.ts'
import { type TableShape, tenantTables } from '../rows/shape.ts'
import { tenantTableNames } from './rows/file.ts'

/**
 * Tables that are not exported. Users sign in again, and API keys are made again. Pending work is tracked anew. The
 * installation that stored mails sends them, so that invitations are accepted there only.
 */
export const installationTables: ReadonlySet<string> = new Set([
  'session',
  'provider_session',
  'one_time_token',
  'api_key',
  'portal_session',
  'pending_tenant',
  'owed_job',
  'mail',
  'invitation',
])

/**
 * The tables of which the shared database has rows of tenants with their own database, each with a condition that
 * selects the rows to archive.
 */
export const archivedFromShared: ReadonlyMap<string, string> = new Map([
  [eventTable, isUndispatched],
  ...recordTables.map((table) => [table, 'true'] as const),
])

export interface ArchivedShapes {
  /** Each table before those that reference it. */
  all: TableShape[]
  /** Tables of the database that holds the tenant's rows. */
  ofTenant: TableShape[]
  ofCatalogue: TableShape[]
}

/** @param executor of a database with the tables of both kinds */
export async function archivedShapes(
  executor: Executor,
  migrations: readonly Migration[],
): Promise<ArchivedShapes> {
  const all = (await tenantTables(executor)).filter(({ name }) => !installationTables.has(name))
  const names = await tenantTableNames(migrations)
  return {
    all,
    ofTenant: all.filter(({ name }) => names.has(name)),
    ofCatalogue: all.filter(({ name }) => !names.has(name)),
  }
}

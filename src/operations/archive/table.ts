/** Which tables of a tenant are in an archive, and from where. */

import { eventTable, isUndispatched } from '../../core/events/undispatched.ts'
import { recordTables } from '../../core/idempotency/once.ts'
import type { Executor } from '../../database/executor.ts'
import type { Migration } from '../../database/migration.ts'
import { type TableShape, tenantTables } from '../rows/shape.ts'
import { tenantTableNames } from './rows/file.ts'

/** Whoever comes along signs in anew, and where something waits is known by another mark. */
export const installationTables: ReadonlySet<string> = new Set(['session', 'attended'])

/**
 * Tables of which the shared database holds rows of a tenant that has one of its own, with a condition for those that
 * belong to the archive.
 */
export const archivedFromShared: ReadonlyMap<string, string> = new Map([
  [eventTable, isUndispatched],
  ...recordTables.map((table) => [table, 'true'] as const),
])

export interface ArchivedShapes {
  /** Tables before those that refer to them. */
  all: TableShape[]
  /** In the database that has the tenant's rows. */
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

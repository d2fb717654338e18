/** Finds the tenants whose rows were moved after a backup: its database files are not theirs any more. */
import { basename } from 'node:path'
import { registry } from '../../core/tenant/directory.ts'
import { findTenant } from '../../core/tenant/sql.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import type { Database } from '../../database/executor.ts'
import { namesOfApplied } from '../../database/migrate/history.ts'
import { findOwnDatabaseTarget, type OwnDatabaseReader } from '../../tenancy/own-database-targets.ts'
import type { BackedUpFile } from './manifest.ts'

/** @param database of the catalogue; it may be empty @returns case-folded ids, without those of unknown tenants */
export async function movedTenants(
  database: Database,
  reader: Omit<OwnDatabaseReader, 'catalogue'>,
  databases: readonly BackedUpFile[],
): Promise<Set<string>> {
  const moved = new Set<string>()
  if ((await namesOfApplied(database)).size === 0) return moved
  const catalogue = registry(database.executor)
  for (const { file, tenants } of databases)
    for (const id of tenants) {
      const key = foldTenantId(id)
      if ((await findTenant(catalogue, key)) === null) continue
      if (!(await usesFile({ ...reader, catalogue }, id, file))) moved.add(key)
    }
  return moved
}

/** Whether the rows of a tenant are in a restored file. @param file relative to the folder of the backup */
export async function usesFile(reader: OwnDatabaseReader, tenantId: string, file: string): Promise<boolean> {
  const target = (await findOwnDatabaseTarget(reader, tenantId))?.target
  return target?.kind === 'sqlite' && basename(target.path) === basename(file)
}

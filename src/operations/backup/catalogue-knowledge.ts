/**
 * What a catalogue knows of tenants' own databases. A backup does not migrate the catalogue, and the catalogue of an
 * earlier version knows nothing.
 */
import { registry } from '../../core/tenant/directory.ts'
import { foldTenantId } from '../../core/tenant/tenant-id.ts'
import { identityMigration, readIdentity } from '../../database/database-identity.ts'
import type { Database } from '../../database/executor.ts'
import { namesOfApplied } from '../../database/migrate/history.ts'
import { admitExisting, admitKnown, type FoundDatabase } from '../../tenancy/expected-database.ts'
import { knownDatabaseMigration } from '../../tenancy/migration.ts'
import { findOwnDatabase } from '../../tenancy/sql.ts'

export interface CatalogueKnowledge {
  /** Whether the tenant's database may be missing because it never was created. */
  isUncreated(tenantId: string): Promise<boolean>
  /** @throws DatabaseLost if the found database is not the one that the catalogue knows */
  admit(tenantId: string, found: FoundDatabase): Promise<void>
}

const nothing: CatalogueKnowledge = {
  isUncreated: async () => true,
  admit: async (_tenantId, found) => admitExisting(found, ''),
}

/** @param database of the catalogue */
export async function readKnowledge(database: Database): Promise<CatalogueKnowledge> {
  const applied = await namesOfApplied(database)
  if (!applied.has(identityMigration.name) || !applied.has(knownDatabaseMigration)) return nothing
  const catalogue = registry(database.executor)
  const installation = (await readIdentity(database.executor))?.id ?? ''
  const known = async (tenantId: string) =>
    (await findOwnDatabase(catalogue, foldTenantId(tenantId)))?.known ?? null
  return {
    isUncreated: async (tenantId) => (await known(tenantId))?.id === null,
    admit: async (tenantId, found) => admitKnown(await known(tenantId))(found, installation),
  }
}

import type { InstallationData } from '../../database/data.ts'
import { prepareForInstallation } from '../../database/prepared.ts'
import type { ArchivedTenant } from './manifest.ts'

/** Reads columns that every version has, because the archive is not migrated yet. */
const archived = prepareForInstallation((tables) =>
  tables
    .selectFrom('tenant')
    .select([
      'id',
      'name',
      'subdomain',
      'plan',
      'is_active as isActive',
      'created_at as createdAt',
      'version',
    ]),
)

/** @returns the tenant of the archive; `null` unless there is exactly one */
export async function findArchivedTenant(installation: InstallationData): Promise<ArchivedTenant | null> {
  const rows = await installation.all(archived, {})
  const [row] = rows
  return row === undefined || rows.length > 1 ? null : row
}

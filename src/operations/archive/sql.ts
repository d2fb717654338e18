import type { InstallationData } from '../../database/data.ts'
import type { ArchivedTenant } from './manifest.ts'

/**
 * Reads columns that every version has, because the archive is not migrated yet.
 * @returns `null` unless there is exactly one
 */
export async function findArchivedTenant({ kysely }: InstallationData): Promise<ArchivedTenant | null> {
  const rows = await kysely
    .selectFrom('tenant')
    .select([
      'id',
      'name',
      'subdomain',
      'plan',
      'is_active as isActive',
      'created_at as createdAt',
      'version',
    ])
    .execute()
  const [row] = rows
  return row === undefined || rows.length > 1 ? null : row
}

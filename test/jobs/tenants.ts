import { inspect } from '../support/database/inspect.ts'

/** Writes tenants without users past the service. @returns their ids, which are always the same */
export async function insertTenants(databaseUrl: string, count: number): Promise<string[]> {
  await inspect(
    databaseUrl,
    `WITH RECURSIVE counted (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < ${count})
     INSERT INTO tenant (id, id_key, name, is_active, created_at, version)
     SELECT 'tenant-' || number, 'tenant-' || number, 'Tenant', true, '2026-01-01T00:00:00.000Z', 1 FROM counted`,
  )
  return Array.from({ length: count }, (_, index) => `tenant-${index + 1}`)
}

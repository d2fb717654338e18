import type { Database } from '../../database/executor.ts'
import type { Shared, Tenant } from '../context.ts'

/**
 * Runs the work with the database of a tenant, which stays open until the work ends.
 * @throws ServiceError `unavailable` while the database cannot be reached
 */
export async function withTenantDatabase<T>(
  { tenantDatabases }: Pick<Shared, 'tenantDatabases'>,
  tenant: Tenant,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const lease = await tenantDatabases.lease(tenant)
  try {
    return await work(lease.database)
  } finally {
    lease.release()
  }
}

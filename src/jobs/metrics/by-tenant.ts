import type { TenantCount } from '../../database/count-apart.ts'
import { QueueData } from '../../database/data.ts'
import type { Database } from '../../database/executor.ts'
import { countByTenant } from './sql.ts'

/**
 * Counts the jobs of all tenants of this database, for the metrics by tenant.
 * @param tenants the most tenants for each figure: those with the highest counts
 * @throws StatementTimedOut, DatabaseUnavailable
 */
export function countJobsByTenant(
  database: Database,
  tenants: number,
): Promise<{ waitingJobs: TenantCount[]; deadJobs: TenantCount[] }> {
  return countByTenant(new QueueData(database.executor, database), tenants)
}

import type { TenantCount } from '../database/count-apart.ts'
import type { Database } from '../database/executor.ts'
import { allMails } from './all-mails.ts'
import { countByTenant } from './sql.ts'

/**
 * Counts the waiting and the dead mails of each tenant.
 * @param database of the catalogue
 * @param tenants the most tenants for each figure: those with the highest counts
 */
export async function countMailsByTenant(
  database: Database,
  tenants: number,
): Promise<{ waitingMails: TenantCount[]; deadMails: TenantCount[] }> {
  const mails = allMails(database.executor)
  const [waitingMails, deadMails] = await Promise.all([
    countByTenant(mails, 'PENDING', tenants),
    countByTenant(mails, 'DEAD', tenants),
  ])
  return { waitingMails, deadMails }
}

import type { TenantCount } from '../database/count-apart.ts'
import type { Database } from '../database/executor.ts'
import { allMails } from './all-mails.ts'
import { countByTenant } from './sql.ts'

/**
 * The mails of all tenants. For each figure at most so many tenants, those with the highest counts.
 * @param database of the catalogue
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

import { InstallationData } from '../database/data.ts'
import type { Database } from '../database/executor.ts'
import { countByTenant, type MailsOfTenant } from './sql.ts'

/**
 * The mails of all tenants. For each figure at most so many tenants, those with the highest counts.
 * @param database of the catalogue
 */
export async function countMailsByTenant(
  database: Database,
  tenants: number,
): Promise<{ waitingMails: MailsOfTenant[]; deadMails: MailsOfTenant[] }> {
  const catalogue = new InstallationData(database.executor)
  const [waitingMails, deadMails] = await Promise.all([
    countByTenant(catalogue, 'PENDING', tenants),
    countByTenant(catalogue, 'DEAD', tenants),
  ])
  return { waitingMails, deadMails }
}

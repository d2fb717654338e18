import type { TenantCount } from '../../../../database/count-apart.ts'
import { QueueData } from '../../../../database/data.ts'
import type { Database } from '../../../../database/executor.ts'
import { countFigureByTenant, type WebhookFigure } from './sql.ts'

/**
 * Counts subscriptions and deliveries of all tenants of this database, for the metrics by tenant.
 * @param tenants the most tenants for each figure: those with the highest counts
 * @throws StatementTimedOut, DatabaseUnavailable
 */
export async function countWebhooksByTenant(
  database: Database,
  tenants: number,
): Promise<Record<WebhookFigure, TenantCount[]>> {
  const queue = new QueueData(database.executor, database)
  const count = (figure: WebhookFigure) => countFigureByTenant(queue, figure, tenants)
  const [failingSubscriptions, deactivatedSubscriptions, waitingDeliveries, deadDeliveries] =
    await Promise.all([
      count('failingSubscriptions'),
      count('deactivatedSubscriptions'),
      count('waitingDeliveries'),
      count('deadDeliveries'),
    ])
  return { failingSubscriptions, deactivatedSubscriptions, waitingDeliveries, deadDeliveries }
}

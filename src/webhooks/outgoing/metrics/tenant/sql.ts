/** Counts subscriptions and deliveries by tenant. */
import { sql } from 'kysely'
import { countApart, countsByTenant, type TenantCount } from '../../../../database/count-apart.ts'
import type { QueueData, TenantData } from '../../../../database/data.ts'
import type { Dialect } from '../../../../database/executor.ts'
import { prepare, prepareForAll } from '../../../../database/prepared.ts'
import { withinTime } from '../../../../database/scan.ts'
import { hasSubscription, isDead } from '../../dead-letter/sql.ts'

/**
 * Selects failing and deactivated subscriptions. It has the text of the partial index: otherwise the database would
 * not use the index.
 */
const isTroubled = (dialect: Dialect) =>
  withinTime(
    dialect,
    'subscription.id',
    sql`coalesce(subscription.deactivated_at, subscription.failing_since) is not null`,
  )

const deadByTenant = prepareForAll((tables, p: { tenants: number }, dialect) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => ['tenant_id', fn.countAll<number>().as('count')])
    .where(isDead(dialect))
    .where(hasSubscription(dialect))
    .groupBy('tenant_id')
    .orderBy('count', 'desc')
    .limit(sql<number>`${p.tenants}`),
)

const statements = {
  failingSubscriptions: countsByTenant(
    'subscription',
    (dialect) => sql`${isTroubled(dialect)} and subscription.deactivated_at is null`,
  ),
  deactivatedSubscriptions: countsByTenant(
    'subscription',
    (dialect) => sql`${isTroubled(dialect)} and subscription.deactivated_at is not null`,
  ),
  waitingDeliveries: countsByTenant('delivery', (dialect) =>
    withinTime(dialect, 'delivery.id', sql`delivery.queue is not null`),
  ),
  deadDeliveries: deadByTenant,
}

export type WebhookFigure = keyof typeof statements

/**
 * Counts for all tenants of this database.
 * @param tenants the most tenants to return: those with the highest counts
 * @throws StatementTimedOut, DatabaseUnavailable
 */
export function countFigureByTenant(
  queue: QueueData,
  figure: WebhookFigure,
  tenants: number,
): Promise<TenantCount[]> {
  return countApart(queue, statements[figure], { tenants })
}

const troubledOfTenant = prepare((tables, _p: object, dialect) =>
  tables
    .selectFrom('subscription')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.count<number>('deactivated_at').as('deactivated'),
    ])
    .where(isTroubled(dialect)),
)

export interface TroubledSubscriptions {
  failing: number
  deactivated: number
}

export async function countTroubledSubscriptions(data: TenantData): Promise<TroubledSubscriptions> {
  const [row] = await data.all(troubledOfTenant, {}, false) // it runs rarely: the database need not keep it prepared
  const deactivated = Number(row?.deactivated ?? 0)
  return { failing: Number(row?.count ?? 0) - deactivated, deactivated }
}

import { type ExpressionBuilder, sql } from 'kysely'
import { countApart, countInTenant } from '../../../database/count-apart.ts'
import type { QueueData, TenantData } from '../../../database/data.ts'
import type { Dialect } from '../../../database/executor.ts'
import { equalByIndex } from '../../../database/json-rows.ts'
import { prepare, prepareForAll } from '../../../database/prepared.ts'
import { withinTime } from '../../../database/scan.ts'
import type { QueueTables } from '../../../database/tenant-tables.ts'

/** The condition has the text of the partial index: otherwise the database would not use the index. */
export const isDead = (dialect: Dialect) =>
  withinTime(dialect, 'delivery.id', sql`delivery.status in ('DEAD', 'KEPT') and delivery.status = 'DEAD'`)

/** Deliveries whose subscription is deleted cannot be recovered and do not count. */
export const hasSubscription =
  (dialect: Dialect) =>
  ({ exists, selectFrom }: ExpressionBuilder<QueueTables, 'delivery'>) =>
    exists(
      selectFrom('subscription')
        .select('subscription.id')
        .where(equalByIndex(dialect, 'subscription.tenant_id', 'delivery.tenant_id'))
        .where(equalByIndex(dialect, 'subscription.id', 'delivery.subscription_id')),
    )

export interface DeadGroup {
  tenant_id: string
  subscription_id: string
  url: string
  is_active: boolean
  count: number
}

/** Deliveries whose subscription is deleted cannot be sent again and do not count. */
const ofAll = prepareForAll((tables, p: { groups: number }, dialect) =>
  tables
    .selectFrom('delivery')
    .innerJoin('subscription', (join) =>
      join
        .on(equalByIndex(dialect, 'subscription.tenant_id', 'delivery.tenant_id'))
        .on(equalByIndex(dialect, 'subscription.id', 'delivery.subscription_id')),
    )
    .select(({ fn }) => [
      ...(['delivery.tenant_id', 'subscription_id', 'url', 'is_active'] as const),
      fn.countAll<number>().as('count'),
    ])
    .where(isDead(dialect))
    .groupBy(['delivery.tenant_id', 'subscription_id', 'url', 'is_active'])
    .orderBy('count', 'desc')
    .limit(sql<number>`${p.groups}`),
)

/** The groups of all tenants of this database that have the most. @throws StatementTimedOut, DatabaseUnavailable */
export function countDead(queue: QueueData, groups: number): Promise<DeadGroup[]> {
  return countApart(queue, ofAll, { groups })
}

const ofTenant = prepare((tables, p: { groups: number }, dialect) =>
  tables
    .selectFrom('delivery')
    .innerJoin('subscription', (join) =>
      join.on(equalByIndex(dialect, 'subscription.id', 'delivery.subscription_id')),
    )
    .select(({ fn }) => [
      ...(['subscription_id', 'url', 'is_active'] as const),
      fn.countAll<number>().as('count'),
    ])
    .where(isDead(dialect))
    .groupBy(['subscription_id', 'url', 'is_active'])
    .orderBy('count', 'desc')
    .limit(sql<number>`${p.groups}`),
)

/** @throws StatementTimedOut, DatabaseUnavailable */
export function countDeadOf(data: TenantData, groups: number): Promise<Omit<DeadGroup, 'tenant_id'>[]> {
  return countInTenant(data, ofTenant, { groups })
}

const ids = prepare((tables, p: { subscriptionId: string; until: string; limit: number }) =>
  tables
    .selectFrom('delivery')
    .select('id')
    .where(sql<boolean>`status in ('DEAD', 'KEPT') and status = 'DEAD'`)
    .where('subscription_id', '=', p.subscriptionId)
    .where('finished_at', '<=', p.until)
    .orderBy('id')
    .limit(sql<number>`${p.limit}`),
)

/** @param until those that died later are left out */
export async function deadIds(
  data: TenantData,
  range: { subscriptionId: string; until: string; limit: number },
): Promise<string[]> {
  return (await data.all(ids, range)).map(({ id }) => id)
}

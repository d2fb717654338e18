/** Counts and finds dead letters, which are deliveries whose last attempt failed. */
import { type ExpressionBuilder, sql } from 'kysely'
import { countApart, countInTenant } from '../../../database/count-apart.ts'
import type { QueueData, TenantData } from '../../../database/data.ts'
import type { Dialect } from '../../../database/executor.ts'
import { equalByIndex } from '../../../database/json-rows.ts'
import { prepare, prepareForAll } from '../../../database/prepared.ts'
import { withinTime } from '../../../database/scan.ts'
import type { QueueTables } from '../../../database/tenant-tables.ts'

/**
 * The first part has the text of the partial index: otherwise the database would not use the index. The id is a column
 * of the index, so that a count reads nothing else.
 */
export const isDead = (dialect: Dialect) =>
  withinTime(dialect, 'delivery.id', sql`delivery.status in ('DEAD', 'KEPT') and delivery.status = 'DEAD'`)

/** Dead deliveries without a subscription do not count: once it is deleted, they cannot be recovered. */
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

/** The join leaves out deliveries whose subscription is deleted: they cannot be sent again. */
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

/**
 * Counts by subscription, for all tenants of this database.
 * @returns the largest groups
 * @throws StatementTimedOut, DatabaseUnavailable
 */
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

/** Counts by subscription, for one tenant. @throws StatementTimedOut, DatabaseUnavailable */
export function countDeadOf(data: TenantData, groups: number): Promise<Omit<DeadGroup, 'tenant_id'>[]> {
  return countInTenant(data, ofTenant, { groups })
}

const ids = prepare((tables, p: { subscriptionId: string; until: string; limit: number }) =>
  tables
    .selectFrom('delivery')
    .select('id')
    .where(sql<boolean>`status in ('DEAD', 'KEPT') and status = 'DEAD'`) // the first part is that of the partial index
    .where('subscription_id', '=', p.subscriptionId)
    .where('finished_at', '<=', p.until)
    .orderBy('id')
    .limit(sql<number>`${p.limit}`),
)

/** @param until leaves out deliveries that died later, for instance in this run */
export async function deadIds(
  data: TenantData,
  range: { subscriptionId: string; until: string; limit: number },
): Promise<string[]> {
  return (await data.all(ids, range)).map(({ id }) => id)
}

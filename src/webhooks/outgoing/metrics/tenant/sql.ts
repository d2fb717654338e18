import { sql } from 'kysely'
import { countApart, type TenantCount } from '../../../../database/count-apart.ts'
import type { QueueData, TenantData } from '../../../../database/data.ts'
import type { Dialect } from '../../../../database/executor.ts'
import { equalByIndex } from '../../../../database/json-rows.ts'
import { prepare, prepareForAll } from '../../../../database/prepared.ts'
import { withinTime } from '../../../../database/scan.ts'
import { isDead } from '../../dead-letter/sql.ts'

/** As the condition of the partial index is written, so that it is used. */
const isTroubled = (dialect: Dialect) =>
  withinTime(
    dialect,
    'subscription.id',
    sql`coalesce(subscription.deactivated_at, subscription.failing_since) is not null`,
  )

const troubledByTenant = (isDeactivated: boolean) =>
  prepareForAll((tables, p: { tenants: number }, dialect) =>
    tables
      .selectFrom('subscription')
      .select(({ fn }) => ['tenant_id', fn.countAll<number>().as('count')])
      .where(isTroubled(dialect))
      .where('deactivated_at', isDeactivated ? 'is not' : 'is', null)
      .groupBy('tenant_id')
      .orderBy('count', 'desc')
      .limit(sql<number>`${p.tenants}`),
  )

const waitingByTenant = prepareForAll((tables, p: { tenants: number }, dialect) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => ['tenant_id', fn.countAll<number>().as('count')])
    .where(withinTime(dialect, 'delivery.id', sql`delivery.queue is not null`))
    .groupBy('tenant_id')
    .orderBy('count', 'desc')
    .limit(sql<number>`${p.tenants}`),
)

/** Deliveries whose subscription is deleted cannot be recovered and do not count. */
const deadByTenant = prepareForAll((tables, p: { tenants: number }, dialect) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => ['tenant_id', fn.countAll<number>().as('count')])
    .where(isDead(dialect))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('subscription')
          .select('subscription.id')
          .where(equalByIndex(dialect, 'subscription.tenant_id', 'delivery.tenant_id'))
          .where(equalByIndex(dialect, 'subscription.id', 'delivery.subscription_id')),
      ),
    )
    .groupBy('tenant_id')
    .orderBy('count', 'desc')
    .limit(sql<number>`${p.tenants}`),
)

const statements = {
  failingSubscriptions: troubledByTenant(false),
  deactivatedSubscriptions: troubledByTenant(true),
  waitingDeliveries: waitingByTenant,
  deadDeliveries: deadByTenant,
}

export type WebhookFigure = keyof typeof statements

/**
 * Of all tenants of this database.
 * @param tenants at most so many, those with the highest counts
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
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.count<number>('deactivated_at').as('off')])
    .where(isTroubled(dialect)),
)

export interface TroubledSubscriptions {
  failing: number
  deactivated: number
}

export async function countTroubledSubscriptions(data: TenantData): Promise<TroubledSubscriptions> {
  const [row] = await data.all(troubledOfTenant, {}, false)
  const deactivated = Number(row?.off ?? 0)
  return { failing: Number(row?.count ?? 0) - deactivated, deactivated }
}

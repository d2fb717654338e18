/** Counts the deliveries of one subscription by the hour of their creation. */
import { type SqlBool, sql } from 'kysely'
import type { TenantData } from '../../../database/data.ts'
import type { Dialect } from '../../../database/executor.ts'
import { prepare } from '../../../database/prepared.ts'

/** Bounds what one request reads, however many deliveries a subscription has. */
export const maxCountedDeliveries = 5_000

export interface HourRow {
  hour: string
  delivered: number
  failed: number
  /** Deliveries of the hour that were read, including those of events that the caller may not see. */
  read: number
}

interface CountRequest {
  subscriptionId: string
  /** The oldest id that is read. Ids are only nearly in the order of time: `since` decides what is counted. */
  from: string
  /** The oldest moment of creation that is counted. */
  since: string
  /** JSON array of the types of events that are not counted. */
  hiddenTypes: string
}

const byHour = prepare((tables, p: CountRequest, dialect) => {
  const newest = tables
    .selectFrom('delivery')
    .select(['event_type', 'status', 'attempts', 'attempts_before', 'created_at'])
    .where(ofSubscription(dialect, p))
    .orderBy('subscription_id', 'desc')
    .orderBy('id', 'desc')
    .limit(maxCountedDeliveries)
    .as('newest')
  const hour =
    dialect === 'sqlite'
      ? sql<string>`substr(newest.created_at, 1, 13) || ':00:00.000Z'`
      : sql<string>`date_trunc('hour', newest.created_at, 'UTC')`
  const isVisible =
    dialect === 'sqlite'
      ? sql`instr(${p.hiddenTypes}, '"' || newest.event_type || '"') = 0`
      : sql`not (cast(${p.hiddenTypes} as jsonb) ? newest.event_type)`
  // A delivery that was recovered waits for a first attempt again, although it has earlier attempts.
  const hasFailed = sql`(newest.status = 'DEAD' or newest.status = 'PENDING' and newest.attempts > newest.attempts_before)`
  const count = (condition: typeof hasFailed) =>
    sql<number>`sum(case when ${isVisible} and ${condition} then 1 else 0 end)`
  return tables
    .selectFrom(newest)
    .select(({ fn }) => [
      hour.as('hour'),
      count(sql`newest.status = 'SUCCEEDED'`).as('delivered'),
      count(hasFailed).as('failed'),
      fn.countAll<number>().as('read'),
    ])
    .where('newest.created_at', '>=', p.since)
    .groupBy(hour)
})

/**
 * A range of pairs (subscription, id), as the index has them. Otherwise PostgreSQL reads the tenant's log by id if
 * it expects most rows to match.
 */
function ofSubscription(dialect: Dialect, { subscriptionId, from }: CountRequest) {
  const pair = sql.join([sql.ref('subscription_id'), sql.ref('id')])
  return dialect === 'sqlite'
    ? sql<SqlBool>`subscription_id = ${subscriptionId} and id >= ${from}`
    : sql<SqlBool>`(${pair}) between (${subscriptionId}::uuid, ${from}::uuid)
        and (${subscriptionId}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`
}

/** Reads the newest deliveries of the subscription by its index. */
export function deliveriesByHour(data: TenantData, counted: CountRequest): Promise<HourRow[]> {
  return data.all(byHour, counted)
}

/** Counts the deliveries that wait or are dead, and the events that are not dispatched. */
import { sql } from 'kysely'
import { countApart, countInTenant, countTimeoutMs } from '../../../database/count-apart.ts'
import { QueueData, type TenantData } from '../../../database/data.ts'
import type { Database } from '../../../database/executor.ts'
import { equalByIndex } from '../../../database/json-rows.ts'
import { prepare, prepareForAll } from '../../../database/prepared.ts'
import { withinTime } from '../../../database/scan.ts'
import { pendingIndexKey } from '../../../database/sql-text.ts'
import { hasSubscription, isDead } from '../dead-letter/sql.ts'
import { queueKeyRange } from '../queue/key.ts'

export interface QueueCounts {
  /** Deliveries that wait to be sent, or are being sent. */
  waiting: number
  /** Events whose deliveries are not created yet. */
  undispatched: number
  /** Deliveries whose last attempt failed, and whose subscription still exists. */
  dead: number
}

/** Reads only the index of waiting deliveries. */
const waitingOfAll = prepareForAll((tables, _p: object, dialect) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(withinTime(dialect, 'delivery.id', sql`delivery.queue is not null`)),
)

const undispatchedOfAll = prepareForAll((tables, _p: object, dialect) =>
  tables
    .selectFrom('event')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(withinTime(dialect, 'event.id', sql`event.dispatched_at is null`)),
)

const deadOfAll = prepareForAll((tables, _p: object, dialect) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isDead(dialect))
    .where(hasSubscription(dialect)),
)

/** The statement reads only the index of queue keys. */
const waitingOfTenant = prepareForAll((tables, p: { from: string; to: string }, dialect) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('queue', '>', p.from)
    .where('queue', '<', p.to)
    .where(withinTime(dialect, 'delivery.id', sql`true`)),
)

const undispatchedOfTenant = prepareForAll((tables, p: { tenantId: string }, dialect) =>
  tables
    .selectFrom('event')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(pendingIndexKey(dialect, 'event.tenant_id'), '=', p.tenantId)
    .where(withinTime(dialect, 'event.id', sql`event.dispatched_at is null`)),
)

const deadOfTenant = prepare((tables, _p: object, dialect) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isDead(dialect))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('subscription')
          .select('subscription.id')
          .where(equalByIndex(dialect, 'subscription.id', 'delivery.subscription_id')),
      ),
    ),
)

/** Counts for all tenants of this database. @throws StatementTimedOut, DatabaseUnavailable */
export async function countOfAll(queue: QueueData): Promise<QueueCounts> {
  const time = { leftMs: countTimeoutMs }
  const counts = await Promise.all([
    countApart(queue, waitingOfAll, {}, time),
    countApart(queue, undispatchedOfAll, {}, time),
    countApart(queue, deadOfAll, {}, time),
  ])
  return toQueueCounts(counts)
}

/** Counts for one tenant. @throws StatementTimedOut, DatabaseUnavailable */
export async function countOfTenant(
  data: TenantData,
  database: Database | null = null,
): Promise<QueueCounts> {
  const { tenantId } = data
  const queue = new QueueData(data.executor, database)
  const time = { leftMs: countTimeoutMs }
  const keys = queueKeyRange(tenantId)
  const counts = await Promise.all([
    countApart(queue, waitingOfTenant, keys, time),
    countApart(queue, undispatchedOfTenant, { tenantId }, time),
    countInTenant(data, deadOfTenant, {}, time),
  ])
  return toQueueCounts(counts)
}

/** @param counts in the order of the members */
function toQueueCounts(counts: readonly { count: number }[][]): QueueCounts {
  const [waiting = 0, undispatched = 0, dead = 0] = counts.map(([row]) => row?.count)
  return { waiting, undispatched, dead }
}

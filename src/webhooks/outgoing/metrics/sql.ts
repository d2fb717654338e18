import { sql } from 'kysely'
import { QueueData, type TenantData } from '../../../database/data.ts'
import type { Database, Dialect } from '../../../database/executor.ts'
import { equalByIndex } from '../../../database/json-rows.ts'
import { prepare, prepareForAll } from '../../../database/prepared.ts'
import { withinTime } from '../../../database/scan.ts'
import { pendingIndexKey } from '../../../database/sql-text.ts'
import { queueKeyRange } from '../queue/key.ts'

export interface QueueCounts {
  waiting: number
  undispatched: number
  dead: number
}

/** The limit for one database, whose indexes may have millions of rows. */
const countTimeoutMs = 10_000

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

/** As the condition of the partial index is written, so that it is used. */
const isDead = (dialect: Dialect) =>
  withinTime(dialect, 'delivery.id', sql`delivery.status in ('DEAD', 'KEPT') and delivery.status = 'DEAD'`)

/** Deliveries whose subscription is deleted cannot be recovered and do not count. */
const deadOfAll = prepareForAll((tables, _p: object, dialect) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isDead(dialect))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('subscription')
          .select('subscription.id')
          .where(equalByIndex(dialect, 'subscription.tenant_id', 'delivery.tenant_id'))
          .where(equalByIndex(dialect, 'subscription.id', 'delivery.subscription_id')),
      ),
    ),
)

/** Reads only the index of queue keys. */
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
    countApart(queue, () => queue.all(waitingOfAll, {}), queue.scan(waitingOfAll, {}, time)),
    countApart(queue, () => queue.all(undispatchedOfAll, {}), queue.scan(undispatchedOfAll, {}, time)),
    countApart(queue, () => queue.all(deadOfAll, {}), queue.scan(deadOfAll, {}, time)),
  ])
  return toQueueCounts(counts)
}

/** @throws StatementTimedOut, DatabaseUnavailable */
export async function countOfTenant(
  data: TenantData,
  database: Database | null = null,
): Promise<QueueCounts> {
  const { tenantId } = data
  const queue = new QueueData(data.executor, database)
  const time = { leftMs: countTimeoutMs }
  const keys = queueKeyRange(tenantId)
  const counts = await Promise.all([
    countApart(queue, () => queue.all(waitingOfTenant, keys), queue.scan(waitingOfTenant, keys, time)),
    countApart(
      queue,
      () => queue.all(undispatchedOfTenant, { tenantId }),
      queue.scan(undispatchedOfTenant, { tenantId }, time),
    ),
    // Runs rarely, so its plan is not kept.
    countApart(queue, () => data.all(deadOfTenant, {}, false), data.scan(deadOfTenant, {}, time)),
  ])
  return toQueueCounts(counts)
}

/** On SQLite as a scan, which blocks no other statement. On PostgreSQL the connections of scans are left to tenants. */
async function countApart<R>(
  { executor }: QueueData,
  all: () => Promise<R[]>,
  scan: AsyncIterable<R[]>,
): Promise<R[]> {
  if (executor.dialect === 'postgres') return all()
  const rows: R[] = []
  for await (const batch of scan) rows.push(...batch)
  return rows
}

/** @param counts in the order of the members */
function toQueueCounts(counts: readonly { count: number }[][]): QueueCounts {
  const [waiting = 0, undispatched = 0, dead = 0] = counts.map(([row]) => row?.count)
  return { waiting, undispatched, dead }
}

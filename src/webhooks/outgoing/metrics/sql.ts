import { sql } from 'kysely'
import { QueueData, type TenantData } from '../../../database/data.ts'
import type { Database, Dialect } from '../../../database/executor.ts'
import { equalByIndex } from '../../../database/json-rows.ts'
import { prepare, prepareForAll } from '../../../database/prepared.ts'
import { withinTime } from '../../../database/scan.ts'
import { pendingIndexKey } from '../../../database/sql-text.ts'
import { queueKeyRange } from '../queue/key.ts'

export interface Figures {
  waiting: number
  undispatched: number
  dead: number
}

/** For one database: an index may have millions of rows. */
const countWithinMs = 10_000

/** Reads the index of waiting deliveries alone. */
const waiting = prepareForAll((tables, _p: object, dialect) =>
  tables
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(withinTime(dialect, 'delivery.id', sql`delivery.queue is not null`)),
)

const undispatched = prepareForAll((tables, _p: object, dialect) =>
  tables
    .selectFrom('event')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(withinTime(dialect, 'event.id', sql`event.dispatched_at is null`)),
)

/** In the words of its index. */
const isDead = (dialect: Dialect) =>
  withinTime(dialect, 'delivery.id', sql`delivery.status in ('DEAD', 'KEPT') and delivery.status = 'DEAD'`)

/** Deliveries whose subscription is deleted cannot be recovered and do not count. */
const dead = prepareForAll((tables, _p: object, dialect) =>
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

/** Reads the queue keys alone. */
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

/** Counts those of all tenants in this database. @throws StatementTimedOut, DatabaseUnavailable */
export async function countOfAll(queue: QueueData): Promise<Figures> {
  const time = { leftMs: countWithinMs }
  const [waits, isNew, died] = await Promise.all([
    apart(queue, () => queue.all(waiting, {}), queue.scan(waiting, {}, time)),
    apart(queue, () => queue.all(undispatched, {}), queue.scan(undispatched, {}, time)),
    apart(queue, () => queue.all(dead, {}), queue.scan(dead, {}, time)),
  ])
  return figuresOf(waits, isNew, died)
}

/** @throws StatementTimedOut, DatabaseUnavailable */
export async function countOfTenant(data: TenantData, database: Database | null = null): Promise<Figures> {
  const { tenantId } = data
  const queue = new QueueData(data.executor, database)
  const time = { leftMs: countWithinMs }
  const keys = queueKeyRange(tenantId)
  const [waits, isNew, died] = await Promise.all([
    apart(queue, () => queue.all(waitingOfTenant, keys), queue.scan(waitingOfTenant, keys, time)),
    apart(
      queue,
      () => queue.all(undispatchedOfTenant, { tenantId }),
      queue.scan(undispatchedOfTenant, { tenantId }, time),
    ),
    // Rare, so that it is planned each time.
    apart(queue, () => data.all(deadOfTenant, {}, false), data.scan(deadOfTenant, {}, time)),
  ])
  return figuresOf(waits, isNew, died)
}

/** A scan does not block other statements on SQLite. On PostgreSQL its connections are left to tenants. */
async function apart<R>(
  { executor }: QueueData,
  all: () => Promise<R[]>,
  scan: AsyncIterable<R[]>,
): Promise<R[]> {
  if (executor.dialect === 'postgres') return all()
  const rows: R[] = []
  for await (const batch of scan) rows.push(...batch)
  return rows
}

function figuresOf(...counts: { count: number }[][]): Figures {
  const [waits = 0, isNew = 0, died = 0] = counts.map(([row]) => row?.count)
  return { waiting: waits, undispatched: isNew, dead: died }
}

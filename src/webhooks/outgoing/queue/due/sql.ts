/** What is due: found by its size alone, and its data loaded once for each event. */
import { type SelectQueryBuilder, sql } from 'kysely'
import type { QueueData } from '../../../../database/data.ts'
import type { Dialect } from '../../../../database/executor.ts'
import { jsonRows, lookedUp } from '../../../../database/json-rows.ts'
import { prepareForAll } from '../../../../database/prepared.ts'
import type { QueueTables } from '../../../../database/tenant-tables.ts'
import type { Grant } from '../due-index.ts'
import { type DeliveryKey, type DueDelivery, keyColumns } from '../sql.ts'

/** A delivery that may be claimed; its data is not loaded yet. */
export type Due = Omit<DueDelivery, 'data'>

const grantColumns = { line: 'key', most: 'integer' } as const

const dueColumns = [
  'delivery.tenant_id as tenantId',
  'delivery.id',
  'delivery.subscription_id as subscriptionId',
  'delivery.queue as line',
  'delivery.next_at as dueAt',
  'delivery.attempts',
  'delivery.attempts_before as attemptsBefore',
  'delivery.event_id as eventId',
  'event.type as eventType',
  'event.created_at as eventAt',
  'event.hops',
  'event.origin',
  sql<number>`octet_length(event.data)`.as('bytes'),
] as const

/** The most urgent ones of one line, for SQLite: its LIMIT takes no column. */
const dueOfLine = prepareForAll((tables, p: Grant & { now: string }, dialect) =>
  withEvents(
    dialect,
    tables.selectFrom((from) =>
      from
        .selectFrom('delivery as inner')
        .select(['inner.tenant_id', 'inner.id'])
        .where('inner.queue', '=', p.line)
        .where('inner.next_at', '<=', p.now)
        .orderBy('inner.next_at')
        .orderBy('inner.id')
        .limit(p.most)
        .as('due'),
    ),
  ),
)

/** The same of many lines at once, for PostgreSQL: those that nobody else is about to take. */
const dueOfLines = prepareForAll((tables, p: { grants: string; now: string }, dialect) =>
  withEvents(
    dialect,
    tables.selectFrom((from) =>
      from
        .selectFrom(jsonRows<Grant, 'granted'>(dialect, p.grants, grantColumns, 'granted'))
        .innerJoinLateral(
          (one) =>
            one
              .selectFrom('delivery as inner')
              .select(['inner.tenant_id', 'inner.id'])
              .whereRef('inner.queue', '=', 'granted.line')
              .where('inner.next_at', '<=', p.now)
              .orderBy('inner.next_at')
              .orderBy('inner.id')
              .limit(sql<number>`granted.most`)
              .forUpdate()
              .skipLocked()
              .as('taken'),
          (join) => join.onTrue(),
        )
        .select(['taken.tenant_id', 'taken.id'])
        .as('due'),
    ),
  ),
)

type DueKeys = SelectQueryBuilder<QueueTables & { due: { tenant_id: string; id: string } }, 'due', object>

function withEvents(dialect: Dialect, due: DueKeys) {
  return due
    .innerJoin('delivery', (join) =>
      join
        .on(lookedUp(dialect, 'delivery.tenant_id', 'due.tenant_id'))
        .on(lookedUp(dialect, 'delivery.id', 'due.id')),
    )
    .innerJoin('event', (join) =>
      join
        .on(lookedUp(dialect, 'event.tenant_id', 'delivery.tenant_id'))
        .on(lookedUp(dialect, 'event.id', 'delivery.event_id')),
    )
    .select(dueColumns)
}

/**
 * What is due within the grants, in the order in which it fell due. In a transaction on PostgreSQL nobody else
 * takes it until that ends.
 */
export async function dueWithin(queue: QueueData, grants: readonly Grant[], now: string): Promise<Due[]> {
  const found =
    queue.executor.dialect === 'postgres'
      ? await queue.all(dueOfLines, { grants: JSON.stringify(grants), now })
      : (await Promise.all(grants.map((grant) => queue.all(dueOfLine, { ...grant, now })))).flat()
  return found
    .map((row) => ({ ...row, line: row.line ?? '', dueAt: row.dueAt ?? now })) // it waits: neither is null
    .toSorted((a, b) => (a.dueAt === b.dueAt ? (a.id < b.id ? -1 : 1) : a.dueAt < b.dueAt ? -1 : 1))
}

const takeLease = prepareForAll((tables, p: { keys: string; lease: string; until: string }, dialect) =>
  tables
    .updateTable('delivery')
    .set({ lease: p.lease, next_at: p.until })
    .from(jsonRows<DeliveryKey, 'given'>(dialect, p.keys, keyColumns, 'given'))
    .where(lookedUp(dialect, 'delivery.tenant_id', 'given.tenantId'))
    .where(lookedUp(dialect, 'delivery.id', 'given.id')),
)

const dataOf = prepareForAll((tables, p: { keys: string }, dialect) =>
  tables
    .selectFrom(jsonRows<DeliveryKey, 'given'>(dialect, p.keys, { tenantId: 'key', id: 'key' }, 'given'))
    .innerJoin('event', (join) =>
      join
        .on(lookedUp(dialect, 'event.tenant_id', 'given.tenantId'))
        .on(lookedUp(dialect, 'event.id', 'given.id')),
    )
    .select(['event.tenant_id as tenantId', 'event.id', 'event.data']),
)

/** Takes them: nobody else gets them until the lease ends. To be called in the transaction that has found them. */
export async function claim(
  queue: QueueData,
  due: readonly Due[],
  { lease, until }: { lease: string; until: string },
): Promise<DueDelivery[]> {
  if (due.length === 0) return []
  const keys = JSON.stringify(due.map(({ tenantId, id }) => ({ tenantId, id })))
  await queue.change(takeLease, { keys, lease, until })
  const data = await dataOfEvents(queue, due)
  return due.map((each) => ({ ...each, data: known(data.get(eventKey(each))) }))
}

function known(data: string | undefined): string {
  if (data === undefined) throw new Error('An event has gone while its delivery was being claimed.')
  return data
}

/** One text for each event, however many deliveries it has. */
export async function dataOfEvents(queue: QueueData, due: readonly Due[]): Promise<Map<string, string>> {
  const events = new Map(due.map((each) => [eventKey(each), { tenantId: each.tenantId, id: each.eventId }]))
  const rows = await queue.all(dataOf, { keys: JSON.stringify([...events.values()]) })
  return new Map(rows.map(({ tenantId, id, data }) => [eventKey({ tenantId, eventId: id }), data]))
}

function eventKey({ tenantId, eventId }: { tenantId: string; eventId: string }): string {
  return `${tenantId}/${eventId}`
}

/** Statements of the delivery queue: the scan over its keys, and the claim of due deliveries. */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { type DueAt, scanPages } from '../../../core/queue/key-scan.ts'
import type { KeyPermits } from '../../../core/queue/permits.ts'
import type { QueueData, TenantData } from '../../../database/data.ts'
import type { Dialect } from '../../../database/executor.ts'
import { indexKeys, scannedKey } from '../../../database/index-keys.ts'
import {
  equalByIndex,
  isGivenRow,
  jsonOfKeys,
  jsonRows,
  keyRows,
  type RowKey,
} from '../../../database/json-rows.ts'
import { prepareForAll } from '../../../database/prepared.ts'
import { momentPattern } from '../../../database/sql-text.ts'
import type { QueueTables } from '../../../database/tenant-tables.ts'

export interface DueDelivery {
  tenantId: string
  id: string
  subscriptionId: string
  /** The queue key. */
  key: string
  dueAt: string
  /** All attempts, and those before the retry schedule began again: a recovery begins it again. */
  attempts: number
  attemptsBefore: number
  eventId: string
  eventType: string
  eventAt: string
  hops: number
  /** The event or the receipt that began the chain of webhooks. */
  origin: string | null
  /** The payload of the event, as JSON text. */
  data: string
  /** The size of the payload. */
  bytes: number
}

/** A due delivery whose data is not loaded yet. */
export type DueWithoutData = Omit<DueDelivery, 'data'>

const scan = prepareForAll((tables, p: { after: string; limit: number }) => {
  const rows = tables.selectFrom('delivery')
  const key = sql.ref<string>('delivery.queue')
  const first = rows.select('next_at').where(key, '=', scannedKey).orderBy('next_at').limit(1)
  return indexKeys(tables, { rows, key, range: p }).select(first.as('dueAt'))
})

/** @returns every key with a waiting delivery, and when it is due, in milliseconds of Unix time */
export function scanKeys(queue: QueueData): Promise<Map<string, number>> {
  return scanPages((range) => queue.all(scan, range))
}

const permitColumns = { key: 'key', permits: 'integer' } as const

const dueColumns = [
  'delivery.tenant_id as tenantId',
  'delivery.id',
  'delivery.subscription_id as subscriptionId',
  'delivery.queue as key',
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

/** The most urgent deliveries of one key, for SQLite, whose LIMIT accepts no column. */
const dueOfKey = prepareForAll((tables, p: KeyPermits & { now: string }, dialect) =>
  withEvents(
    dialect,
    tables.selectFrom((from) =>
      from
        .selectFrom('delivery as inner')
        .select(['inner.tenant_id', 'inner.id'])
        .where('inner.queue', '=', p.key)
        .where('inner.next_at', '<=', p.now)
        .orderBy('inner.next_at')
        .orderBy('inner.id')
        .limit(p.permits)
        .as('due'),
    ),
  ),
)

/** Finds due deliveries of many keys at once, on PostgreSQL. Skips deliveries that another instance is claiming. */
const dueOfKeys = prepareForAll((tables, p: { keys: string; now: string }, dialect) =>
  withEvents(
    dialect,
    tables.selectFrom((from) =>
      from
        .selectFrom(jsonRows<KeyPermits>(dialect, p.keys, permitColumns))
        .innerJoinLateral(
          (eb) =>
            eb
              .selectFrom('delivery as inner')
              .select(['inner.tenant_id', 'inner.id'])
              .whereRef('inner.queue', '=', 'given.key')
              .where('inner.next_at', '<=', p.now)
              .orderBy('inner.next_at')
              .orderBy('inner.id')
              .limit(sql<number>`given.permits`)
              .forUpdate()
              .skipLocked()
              .as('claimed'),
          (join) => join.onTrue(),
        )
        .select(['claimed.tenant_id', 'claimed.id'])
        .as('due'),
    ),
  ),
)

type DueKeys = SelectQueryBuilder<QueueTables & { due: { tenant_id: string; id: string } }, 'due', object>

function withEvents(dialect: Dialect, due: DueKeys) {
  return due
    .innerJoin('delivery', (join) =>
      join
        .on(equalByIndex(dialect, 'delivery.tenant_id', 'due.tenant_id'))
        .on(equalByIndex(dialect, 'delivery.id', 'due.id')),
    )
    .innerJoin('event', (join) =>
      join
        .on(equalByIndex(dialect, 'event.tenant_id', 'delivery.tenant_id'))
        .on(equalByIndex(dialect, 'event.id', 'delivery.event_id')),
    )
    .select(dueColumns)
}

/**
 * Due deliveries, for each key at most as many as it has permits, in the order of their due times. On PostgreSQL no
 * other instance claims them until the transaction ends.
 */
export async function dueDeliveries(
  queue: QueueData,
  keys: readonly KeyPermits[],
  now: string,
): Promise<DueWithoutData[]> {
  const found =
    queue.executor.dialect === 'postgres'
      ? await queue.all(dueOfKeys, { keys: JSON.stringify(keys), now })
      : (await Promise.all(keys.map((key) => queue.all(dueOfKey, { ...key, now })))).flat()
  return found
    .map((row) => ({ ...row, key: row.key ?? '', dueAt: row.dueAt ?? now })) // not null for a waiting delivery
    .toSorted((a, b) => (a.dueAt === b.dueAt ? (a.id < b.id ? -1 : 1) : a.dueAt < b.dueAt ? -1 : 1))
}

const setLease = prepareForAll((tables, p: { keys: string; lease: string; until: string }, dialect) =>
  tables
    .updateTable('delivery')
    .set({ lease: p.lease, next_at: p.until })
    .from(keyRows(dialect, p.keys))
    .where(isGivenRow(dialect, 'delivery')),
)

/**
 * Leases deliveries in the transaction that has found them. No other instance claims them until the lease ends.
 * @returns the deliveries with their data
 */
export async function leaseDeliveries(
  queue: QueueData,
  due: readonly DueWithoutData[],
  { lease, until }: { lease: string; until: string },
): Promise<DueDelivery[]> {
  if (due.length === 0) return []
  await queue.change(setLease, { keys: jsonOfKeys(due), lease, until })
  const data = await dataOfEvents(queue, due)
  return due.map((each) => ({ ...each, data: required(data.get(eventKey(each))) }))
}

function required(data: string | undefined): string {
  if (data === undefined) throw new Error('An event was removed while its delivery was claimed.')
  return data
}

const dataOf = prepareForAll((tables, p: { keys: string }, dialect) =>
  tables
    .selectFrom(jsonRows<RowKey>(dialect, p.keys, { tenantId: 'key', id: 'key' }))
    .innerJoin('event', (join) => join.on(isGivenRow(dialect, 'event')))
    .select(['event.tenant_id as tenantId', 'event.id', 'event.data']),
)

/** Reads the data of each event once, however many deliveries the event has. */
export async function dataOfEvents(
  queue: QueueData,
  due: readonly DueWithoutData[],
): Promise<Map<string, string>> {
  const events = new Map(due.map((each) => [eventKey(each), { tenantId: each.tenantId, id: each.eventId }]))
  const rows = await queue.all(dataOf, { keys: JSON.stringify([...events.values()]) })
  return new Map(rows.map(({ tenantId, id, data }) => [eventKey({ tenantId, eventId: id }), data]))
}

function eventKey({ tenantId, eventId }: { tenantId: string; eventId: string }): string {
  return `${tenantId}/${eventId}`
}

const nextOf = prepareForAll((tables, p: { keys: string }, dialect) =>
  tables
    .selectFrom(jsonRows<{ key: string }>(dialect, p.keys, { key: 'key' }))
    .select(({ selectFrom }) => [
      'key',
      selectFrom('delivery')
        .select('next_at')
        .whereRef('delivery.queue', '=', 'given.key')
        .orderBy('next_at')
        .limit(1)
        .as('dueAt'),
    ]),
)

/** @returns when each of these keys is due next; `null` for a key without deliveries */
export function nextDueOfKeys(queue: QueueData, keys: readonly string[]): Promise<DueAt[]> {
  return queue.all(nextOf, { keys: JSON.stringify(keys.map((key) => ({ key }))) })
}

/**
 * Checks the deliveries of an archive, which is an SQLite database.
 * @returns a delivery with a foreign queue key or a malformed due time, or `null`
 */
export async function findForeignDelivery(data: TenantData): Promise<string | null> {
  const row = await data.kysely
    .selectFrom('delivery')
    .select('id')
    .where(({ or }) =>
      or([
        sql<SqlBool>`queue NOT IN (tenant_id || '/' || subscription_id || '/first',
          tenant_id || '/' || subscription_id || '/retry', tenant_id || '/' || subscription_id || '/test')`,
        sql<SqlBool>`next_at NOT GLOB ${momentPattern}`,
        sql<SqlBool>`queue IS NOT NULL AND next_at IS NULL`,
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Statements that find new events and their subscribers, and store the deliveries. */
import { type Selectable, sql } from 'kysely'
import type { QueueData } from '../../../database/data.ts'
import { indexKeys } from '../../../database/index-keys.ts'
import {
  equalByIndex,
  isGivenRow,
  jsonOfKeys,
  jsonRows,
  namesOf,
  type RowKey,
} from '../../../database/json-rows.ts'
import { prepareForAll } from '../../../database/prepared.ts'
import { pendingIndexKey, timestamp } from '../../../database/sql-text.ts'
import type { DeliveryTable } from '../table.ts'

/** An event that is not dispatched yet. */
export interface NewEvent {
  tenantId: string
  id: string
  type: string
  createdAt: string
}

/** A subscription, as far as it decides whether an event is delivered to it. */
export interface EventSubscriber {
  tenantId: string
  id: string
  /** JSON list of patterns. */
  events: string
  /** Who chose the events, as stored; `null` for the administrators. The subscription gets what the owner may see. */
  owner: string | null
  /** `user` or `admin`: whether the subscription gets only events that every user of the tenant may see. */
  access: string
  /** The customer of the tenant to whom the subscription belongs; `null` for the tenant itself. */
  customer: string | null
  isActive: boolean
  deactivatedAt: string | null
  createdAt: string
}

export type NewDelivery = Pick<Selectable<DeliveryTable>, keyof typeof deliveryColumns> & {
  status: 'PENDING' | 'KEPT'
}

const tenants = prepareForAll((tables, p: { after: string; limit: number }, dialect) => {
  const rows = tables.selectFrom('event').where('dispatched_at', 'is', null)
  const key = pendingIndexKey(dialect, 'event.tenant_id')
  return indexKeys(tables, { rows, key, range: p })
})

/** @param after the last id of the page before, or empty @returns tenants in the order of their ids */
export async function tenantsWithNewEvents(
  queue: QueueData,
  after: string,
  limit: number,
): Promise<string[]> {
  return (await queue.all(tenants, { after, limit })).map(({ key }) => key)
}

const states = prepareForAll((tables, p: { keys: string }, dialect) =>
  tables
    .selectFrom(jsonRows<RowKey>(dialect, p.keys, { tenantId: 'key', id: 'key' }))
    .innerJoin('event', (join) => join.on(isGivenRow(dialect, 'event')))
    .select(['event.id', 'event.state']),
)

/**
 * @returns by the ids of the events, the stored state of their rows as JSON, by which rules decide who may see them
 */
export async function statesOf(
  queue: QueueData,
  events: readonly RowKey[],
): Promise<ReadonlyMap<string, string | null>> {
  if (events.length === 0) return new Map()
  const rows = await queue.all(states, { keys: jsonOfKeys(events) })
  return new Map(rows.map(({ id, state }) => [id, state]))
}

const tenantColumns = { tenant: 'key' } as const

const newEvents = prepareForAll((tables, p: { tenants: string; perTenant: number }, dialect) => {
  const given = jsonRows<{ tenant: string }>(dialect, p.tenants, tenantColumns)
  if (dialect === 'sqlite') {
    // SQLite has no lateral joins.
    return tables
      .selectFrom(given)
      .innerJoin('event', (join) =>
        join
          .onRef('event.tenant_id', '=', 'given.tenant')
          .on('event.id', 'in', (eb) =>
            eb
              .selectFrom('event as inner')
              .select('inner.id')
              .whereRef('inner.tenant_id', '=', 'given.tenant')
              .where('inner.dispatched_at', 'is', null)
              .orderBy('inner.id')
              .limit(p.perTenant),
          ),
      )
      .select(['event.tenant_id as tenantId', 'event.id', 'event.type', 'event.created_at as createdAt'])
      .orderBy('event.id')
  }
  return tables
    .selectFrom(given)
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('event')
          .select(['tenant_id', 'id', 'type', 'created_at'])
          .whereRef(pendingIndexKey(dialect, 'event.tenant_id'), '=', 'given.tenant')
          .where('dispatched_at', 'is', null)
          .orderBy('id')
          .limit(p.perTenant)
          .forUpdate()
          .skipLocked()
          .as('claimed'),
      (join) => join.onTrue(),
    )
    .select([
      'claimed.tenant_id as tenantId',
      'claimed.id',
      'claimed.type',
      'claimed.created_at as createdAt',
    ])
    .orderBy('claimed.id')
})

/**
 * The oldest events of each tenant. On PostgreSQL, in a transaction, skips events that another instance dispatches.
 */
export function claimNewEvents(
  queue: QueueData,
  tenantIds: readonly string[],
  perTenant: number,
): Promise<NewEvent[]> {
  return queue.all(newEvents, { tenants: tenantList(tenantIds), perTenant })
}

const subscribers = prepareForAll((tables, p: { tenants: string }, dialect) =>
  tables
    .selectFrom(jsonRows<{ tenant: string }>(dialect, p.tenants, tenantColumns))
    .innerJoin('subscription', (join) =>
      join.on(equalByIndex(dialect, 'subscription.tenant_id', 'given.tenant')),
    )
    .select([
      'tenant_id as tenantId',
      'id',
      'events',
      'owner',
      'access',
      'customer',
      'is_active as isActive',
      'deactivated_at as deactivatedAt',
      'created_at as createdAt',
    ]),
)

export function subscribersOf(queue: QueueData, tenantIds: readonly string[]): Promise<EventSubscriber[]> {
  return queue.all(subscribers, { tenants: tenantList(tenantIds) })
}

const deliveryColumns = {
  tenant_id: 'key',
  id: 'id',
  subscription_id: 'id',
  event_id: 'key',
  event_type: 'key',
  status: 'text',
  queue: 'key',
  next_at: 'timestamp',
  reason: 'text',
} as const

const insert = prepareForAll((tables, p: { rows: string; now: string }, dialect) =>
  tables
    .insertInto('delivery')
    .columns([...namesOf(deliveryColumns), 'kind', 'copy', 'attempts', 'attempts_before', 'created_at'])
    .expression(
      (from) =>
        from
          .selectFrom(jsonRows<NewDelivery>(dialect, p.rows, deliveryColumns))
          .selectAll()
          .select([
            sql.lit('EVENT').as('kind'),
            sql.lit('').as('copy'),
            sql.lit(0).as('attempts'),
            sql.lit(0).as('attempts_before'),
            timestamp(p.now, dialect).as('created_at'),
          ])
          .where(sql<boolean>`true`), // without a condition SQLite reads ON CONFLICT as the ON of a join
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/** Existing deliveries stay unchanged. */
export async function insertDeliveries(
  queue: QueueData,
  rows: readonly NewDelivery[],
  now: string,
): Promise<void> {
  await queue.change(insert, { rows: JSON.stringify(rows), now })
}

const mark = prepareForAll((tables, p: { keys: string; now: string }, dialect) =>
  tables
    .updateTable('event')
    .set({ dispatched_at: p.now })
    .from(jsonRows<RowKey>(dialect, p.keys, { tenantId: 'key', id: 'key' }))
    .where(isGivenRow(dialect, 'event')),
)

export async function markDispatched(
  queue: QueueData,
  events: readonly RowKey[],
  now: string,
): Promise<void> {
  await queue.change(mark, { keys: jsonOfKeys(events), now })
}

const withData = prepareForAll((tables, p: { tenant: string; limit: number }, dialect) =>
  tables
    .selectFrom('event')
    .select(['tenant_id as tenantId', 'id', 'type', 'data', 'created_at as createdAt'])
    .where(pendingIndexKey(dialect, 'event.tenant_id'), '=', p.tenant)
    .where('dispatched_at', 'is', null)
    .orderBy('id')
    .limit(p.limit),
)

export interface EventWithData extends NewEvent {
  data: string
}

export function newEventsWithData(queue: QueueData, tenant: string, limit: number): Promise<EventWithData[]> {
  return queue.all(withData, { tenant, limit })
}

const eventColumns = {
  tenantId: 'key',
  id: 'key',
  type: 'text',
  data: 'text',
  createdAt: 'timestamp',
} as const

const copy = prepareForAll((tables, p: { rows: string }, dialect) =>
  tables
    .insertInto('event')
    .columns(['tenant_id', 'id', 'type', 'data', 'created_at'])
    .expression(
      (from) =>
        from
          .selectFrom(jsonRows<EventWithData>(dialect, p.rows, eventColumns))
          .select(['tenantId', 'id', 'type', 'data', 'createdAt'])
          .where(sql<boolean>`true`), // for SQLite, as in `insert`
    )
    .onConflict((conflict) => conflict.doNothing()),
)

/** Inserts events of another database. Existing events stay unchanged. */
export async function copyEvents(queue: QueueData, events: readonly EventWithData[]): Promise<void> {
  await queue.change(copy, { rows: JSON.stringify(events) })
}

function tenantList(ids: readonly string[]): string {
  return JSON.stringify(ids.map((tenant) => ({ tenant })))
}

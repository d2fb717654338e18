import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { TenantData } from '../../../database/data.ts'
import type { Dialect } from '../../../database/executor.ts'
import { prepare } from '../../../database/prepared.ts'
import type { TenantTables } from '../../../database/tenant-tables.ts'
import { queueKeyRange } from '../queue/key.ts'
import type { DeliveryTable } from '../table.ts'
import type { Attempt } from './schema.ts'

export interface DeliveryRow {
  id: string
  subscriptionId: string
  eventId: string
  eventType: string
  kind: string
  status: string
  attempts: number
  nextAt: string | null
  lease: string | null
  createdAt: string
  finishedAt: string | null
  reason: string | null
}

export interface DeliveryFilter {
  status?: string
  eventType?: string
  subscriptionId?: string
  /** Only deliveries of these subscriptions. */
  among?: readonly string[]
  since?: string
  until?: string
  /** Types of events to omit. */
  hiddenTypes?: readonly string[]
  /** The deliveries of the period have ids from `from` on and before `to`. Others are not read. */
  from?: string
  to?: string
}

export interface EventRow {
  id: string
  type: string
  createdAt: string
  /** JSON text. */
  data: string
}

const columns = [
  'id',
  'subscription_id as subscriptionId',
  'event_id as eventId',
  'event_type as eventType',
  'kind',
  'status',
  'attempts',
  'next_at as nextAt',
  'lease',
  'created_at as createdAt',
  'finished_at as finishedAt',
  'reason',
] as const

/** Newest first. @param before the id to continue after, `null` for the newest */
export function deliveryPage(
  data: TenantData,
  filter: DeliveryFilter,
  before: string | null,
  limit: number,
): Promise<DeliveryRow[]> {
  return data.kysely
    .selectFrom('delivery')
    .select(columns)
    .where((eb) =>
      eb.and([
        ...conditions(eb, filter),
        ...hasStatus(eb, filter, data),
        ...(before === null ? [] : [eb('id', '<', before)]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

const next = prepare((tables, p: { from: string }) =>
  tables
    .selectFrom('delivery')
    .select(['id', 'created_at as createdAt'])
    .where('id', '>=', p.from)
    .orderBy('id')
    .limit(1),
)

/** The first delivery with this id or a later one, `null` when there is none. */
export function deliveryFrom(
  data: TenantData,
  from: string,
): Promise<Pick<DeliveryRow, 'id' | 'createdAt'> | null> {
  return data.first(next, { from })
}

export async function findDelivery(data: TenantData, id: string): Promise<DeliveryRow | null> {
  const row = await data.kysely.selectFrom('delivery').select(columns).where('id', '=', id).executeTakeFirst()
  return row ?? null
}

export async function findEvent(data: TenantData, id: string): Promise<EventRow | null> {
  const row = await data.kysely
    .selectFrom('event')
    .select(['id', 'type', 'created_at as createdAt', 'data'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

const eventLocked = prepare((tables, p: { id: string }, dialect) => {
  const query = tables.selectFrom('event').select('id').where('id', '=', p.id)
  return dialect === 'postgres' ? query.forKeyShare() : query // SQLite has one writer anyway
})

/** Until this transaction ends, no other removes the event. @returns whether it exists */
export async function lockEvent(data: TenantData, id: string): Promise<boolean> {
  return (await data.first(eventLocked, { id })) !== null
}

type AttemptRow = Omit<Attempt, 'requestHeaders' | 'responseHeaders'> & {
  /** JSON objects. */
  requestHeaders: string
  responseHeaders: string
}

export function attemptsOf(data: TenantData, deliveryId: string): Promise<AttemptRow[]> {
  return data.kysely
    .selectFrom('attempt')
    .select([
      'id',
      'number',
      'started_at as startedAt',
      'duration_ms as durationMs',
      'outcome',
      'error_class as errorClass',
      'status',
      'request_headers as requestHeaders',
      'response_headers as responseHeaders',
      'response_excerpt as responseExcerpt',
    ])
    .where('delivery_id', '=', deliveryId)
    .orderBy('id')
    .execute()
}

export async function insertDelivery(data: TenantData, row: Omit<DeliveryTable, 'tenant_id'>): Promise<void> {
  await data.kysely.insertInto('delivery').values(row).execute()
}

/** Prevents the dispatcher from creating deliveries of the event for other subscriptions. */
export async function markEventDispatched(data: TenantData, id: string, now: string): Promise<void> {
  await data.kysely.updateTable('event').set({ dispatched_at: now }).where('id', '=', id).execute()
}

interface Recoverable {
  subscriptionId: string
  since: string
  until: string | null
  hiddenTypes: readonly string[]
}

/** @param after counts deliveries with a later id */
export async function countRecoverable(
  data: TenantData,
  filter: Recoverable,
  after: string,
): Promise<number> {
  const row = await data.kysely
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((eb) => eb.and([eb('id', '>', after), ...recoverable(eb, filter)]))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Oldest first. */
export async function recoverableIds(
  data: TenantData,
  filter: Recoverable,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await data.kysely
    .selectFrom('delivery')
    .select('id')
    .where((eb) => eb.and([eb('id', '>', after), ...recoverable(eb, filter)]))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * The retry schedule begins again; earlier attempts stay in the log.
 * @returns the number of deliveries that were still undelivered
 */
export async function recoverDeliveries(
  data: TenantData,
  ids: readonly string[],
  { queue, now }: { queue: string; now: string },
): Promise<number> {
  const result = await data.kysely
    .updateTable('delivery')
    .set(({ ref }) => ({
      status: 'PENDING',
      queue,
      next_at: now,
      lease: null,
      attempts_before: ref('attempts'),
      finished_at: null,
      reason: null,
    }))
    .where('id', 'in', [...ids])
    .where(undelivered)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Written as in the partial index, so that both databases use the index. */
const undelivered = sql<boolean>`status in ('DEAD', 'KEPT')`

type Builder = ExpressionBuilder<TenantTables, 'delivery'>

function recoverable(eb: Builder, { until, ...filter }: Recoverable): Expression<SqlBool>[] {
  return [undelivered, ...conditions(eb, { ...filter, ...(until !== null && { until }) })]
}

function conditions(
  eb: Builder,
  { eventType, subscriptionId, among, since, until, hiddenTypes = [], from, to }: DeliveryFilter,
): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = []
  if (subscriptionId !== undefined) all.push(eb('subscription_id', '=', subscriptionId))
  if (among !== undefined) all.push(eb('subscription_id', 'in', [...among]))
  if (eventType !== undefined) all.push(eb('event_type', '=', eventType))
  if (hiddenTypes.length > 0) all.push(eb('event_type', 'not in', [...hiddenTypes]))
  if (since !== undefined) all.push(eb('created_at', '>=', since))
  if (until !== undefined) all.push(eb('created_at', '<', until))
  if (from !== undefined) all.push(eb('id', '>=', from))
  if (to !== undefined) all.push(eb('id', '<', to))
  return all
}

function hasStatus(
  eb: Builder,
  { status, subscriptionId }: DeliveryFilter,
  { tenantId, executor }: TenantData,
): Expression<SqlBool>[] {
  if (status === undefined) return []
  if (status === 'DEAD' || status === 'KEPT') return [undelivered, eb('status', '=', status)]
  if (status !== 'PENDING' && status !== 'SENDING') return [eb('status', '=', status)]
  return [
    eb('status', '=', 'PENDING'),
    eb('lease', status === 'SENDING' ? 'is not' : 'is', null),
    isAmong(executor.dialect, waitingIds(eb, executor.dialect, tenantId, subscriptionId)),
  ]
}

/** Like `lookedUp`, so that the log is not read for the join. */
function isAmong(dialect: Dialect, ids: Expression<{ id: string }>): Expression<SqlBool> {
  return dialect === 'postgres'
    ? sql<SqlBool>`delivery.id = any(array${ids})`
    : sql<SqlBool>`delivery.id in ${ids}`
}

/** Finds waiting deliveries by their queue keys: they are few among those of the log. */
function waitingIds(eb: Builder, dialect: Dialect, tenantId: string, subscriptionId: string | undefined) {
  const { from, to } = queueKeyRange(tenantId, subscriptionId)
  const byKey = eb
    .selectFrom('delivery as waiting')
    .select('waiting.id')
    .where('waiting.queue', '>', from)
    .where('waiting.queue', '<', to)
  // The range of the second column makes PostgreSQL expect few rows. Without statistics it would otherwise read the
  // queue keys of the whole log as well.
  return dialect === 'postgres'
    ? byKey.where(sql<boolean>`waiting.next_at between '-infinity' and 'infinity'`)
    : byKey
}

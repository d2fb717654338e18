/** Statements of the log: the event and the attempts of a delivery, replays and recoveries, conditions of the list. */
import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TenantData } from '../../../database/data.ts'
import type { Dialect } from '../../../database/executor.ts'
import { prepare } from '../../../database/prepared.ts'
import type { Filter } from '../../../database/read/filter.ts'
import type { Derivation, ReadModel } from '../../../database/read/read-model.ts'
import { isRowReached, type ReachedRows } from '../../../database/row-event.ts'
import type { TenantTables } from '../../../database/tenant-tables.ts'
import type { DeliveryTable } from '../table.ts'
import type { Attempt } from './schema.ts'

/** A delivery with a lease is being sent: this is not a status of its own in the database. */
const isSending = (column: (name: string) => RawBuilder<unknown>) =>
  sql`${column('status')} = 'PENDING' and ${column('lease')} is not null`

export const shownStatus: Derivation = {
  columns: ['status', 'lease'],
  value: (column) => sql`case when ${isSending(column)} then 'SENDING' else ${column('status')} end`,
}

/** While a delivery is being sent, the column `next_at` has the end of its lease, which is not shown. */
export const nextAttemptAt: Derivation = {
  columns: ['status', 'lease', 'next_at'],
  value: (column) => sql`case when ${isSending(column)} then null else ${column('next_at')} end`,
}

export interface EventRow {
  id: string
  type: string
  createdAt: string
  /** JSON text. */
  data: string
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
): Promise<{ id: string; createdAt: string } | null> {
  return data.first(next, { from })
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

/**
 * Locks the event: until this transaction ends, no other transaction removes it.
 * @returns whether the event exists
 */
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

/** Types of events that are about rows of one table. */
export interface ReachedTypes extends ReachedRows {
  types: readonly string[]
}

interface Recoverable {
  subscriptionId: string
  since: string
  until: string | null
  hiddenTypes: readonly string[]
  /** The types of which the caller sees only the events of certain rows. */
  typesByRow: readonly string[]
  /** The rows whose events the caller sees, for these types. */
  reached: readonly ReachedTypes[]
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
    .where((eb) => eb.and([eb('id', '>', after), ...recoverable(eb, filter, data.executor.dialect)]))
    .executeTakeFirstOrThrow()
  return row.count
}

/** @returns the ids, oldest first */
export async function recoverableIds(
  data: TenantData,
  filter: Recoverable,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await data.kysely
    .selectFrom('delivery')
    .select('id')
    .where((eb) => eb.and([eb('id', '>', after), ...recoverable(eb, filter, data.executor.dialect)]))
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

export const isUndelivered: Filter = {
  kind: 'stated',
  name: 'undelivered',
  values: [],
  state: (alias) => sql`${sql.ref(`${alias}.status`)} in ('DEAD', 'KEPT')`,
}

type Builder = ExpressionBuilder<TenantTables, 'delivery'>

function recoverable(
  eb: Builder,
  { subscriptionId, since, until, hiddenTypes, typesByRow, reached }: Recoverable,
  dialect: Dialect,
): Expression<SqlBool>[] {
  return [
    undelivered,
    eb('subscription_id', '=', subscriptionId),
    eb('created_at', '>=', since),
    ...(until === null ? [] : [eb('created_at', '<', until)]),
    ...(hiddenTypes.length === 0 ? [] : [eb('event_type', 'not in', [...hiddenTypes])]),
    ...(typesByRow.length === 0
      ? []
      : [
          eb.or([
            eb('event_type', 'not in', [...typesByRow]),
            ...reached.map((each) =>
              eb.and([eb('event_type', 'in', [...each.types]), isRowReached(each, 'delivery', dialect)]),
            ),
          ]),
        ]),
  ]
}

/**
 * Finds waiting deliveries by their queue keys: they are few among all deliveries of the log.
 * @param from exclusive, and so is `to`
 */
export function waits(entity: ReadModel, from: string, to: string): Filter {
  return {
    kind: 'stated',
    name: 'waits',
    values: [from, to],
    state: (alias, builder, value) => {
      const { query, alias: waiting } = builder.rows(entity)
      const queue = sql.ref(`${waiting}.queue`)
      const ids = query
        .select(sql.ref(`${waiting}.id`).as('id'))
        .where(sql<SqlBool>`${queue} > ${value(0)} and ${queue} < ${value(1)}`)
      const id = sql.ref(`${alias}.id`)
      if (builder.dialect === 'sqlite') return sql`${id} in ${ids}`
      // An array, so that PostgreSQL looks up each id and does not read the log for a join. The range of the second
      // column makes it expect few rows: without statistics it would otherwise read the queue keys of the whole
      // log.
      const due = sql.ref(`${waiting}.next_at`)
      return sql`${id} = any(array${ids.where(sql<SqlBool>`${due} between '-infinity' and 'infinity'`)})`
    },
  }
}

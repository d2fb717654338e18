/** Finds and removes old deliveries and events. */
import { type ExpressionBuilder, sql } from 'kysely'
import { agedRows } from '../../../database/aged-rows.ts'
import type { QueueData } from '../../../database/data.ts'
import type { Dialect } from '../../../database/executor.ts'
import { equalByIndex, inJsonRows, jsonOfIds } from '../../../database/json-rows.ts'
import { prepareForAll } from '../../../database/prepared.ts'
import type { QueueTables } from '../../../database/tenant-tables.ts'

/** Old events also find the tenants to visit: a tenant with deliveries has events. */
export const agedEvents = agedRows('event')
export const agedDeliveries = agedRows('delivery')

interface Range {
  tenantId: string
  after: string
  upTo: string
}

/** Excludes waiting deliveries, however old they are. */
const oldDeliveries = prepareForAll((tables, p: Range & { before: string }) =>
  tables
    .selectFrom('delivery')
    .select('id')
    .where('tenant_id', '=', p.tenantId)
    .where('id', '>', p.after)
    .where('id', '<=', p.upTo)
    .where('queue', 'is', null)
    .where(sql<boolean>`coalesce(finished_at, created_at) < ${p.before}`)
    .orderBy('id'),
)

export async function finishedDeliveries(
  queue: QueueData,
  old: Range & { before: string },
): Promise<string[]> {
  return (await queue.all(oldDeliveries, old)).map(({ id }) => id)
}

const removeDeliveries = prepareForAll((tables, p: { tenantId: string; ids: string }, dialect) =>
  tables
    .deleteFrom('delivery')
    .where('tenant_id', '=', p.tenantId)
    .where(inJsonRows(dialect, 'delivery.id', { json: p.ids, name: 'id', type: 'id' }))
    .where('queue', 'is', null),
)

const removeAttempts = prepareForAll((tables, p: { tenantId: string; ids: string }, dialect) =>
  tables
    .deleteFrom('attempt')
    .where('tenant_id', '=', p.tenantId)
    .where(inJsonRows(dialect, 'attempt.delivery_id', { json: p.ids, name: 'id', type: 'id' }))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('delivery')
            .select('delivery.id')
            .where(equalByIndex(dialect, 'delivery.tenant_id', 'attempt.tenant_id'))
            .where(equalByIndex(dialect, 'delivery.id', 'attempt.delivery_id')),
        ),
      ),
    ),
)

/** Deletes deliveries with their attempts, except deliveries that were recovered in the meantime. */
export async function deleteDeliveries(
  queue: QueueData,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  const rows = jsonOfIds(ids)
  await queue.change(removeDeliveries, { tenantId, ids: rows })
  await queue.change(removeAttempts, { tenantId, ids: rows })
}

/** Finds dispatched events without deliveries. */
const oldEvents = prepareForAll((tables, p: Range, dialect) => {
  const query = tables
    .selectFrom('event')
    .select('id')
    .where('tenant_id', '=', p.tenantId)
    .where('id', '>', p.after)
    .where('id', '<=', p.upTo)
    .where('dispatched_at', 'is not', null)
    .where(withoutDelivery(dialect))
    .orderBy('id')
  return dialect === 'postgres' ? query.forUpdate().skipLocked() : query
})

/** Finds events to delete, and locks them against replays until the transaction ends. */
export async function finishedEvents(queue: QueueData, old: Range): Promise<string[]> {
  return (await queue.all(oldEvents, old)).map(({ id }) => id)
}

const removeEvents = prepareForAll((tables, p: { tenantId: string; ids: string }, dialect) =>
  tables
    .deleteFrom('event')
    .where('tenant_id', '=', p.tenantId)
    .where(inJsonRows(dialect, 'event.id', { json: p.ids, name: 'id', type: 'key' }))
    .where(withoutDelivery(dialect)),
)

/** Deletes events, except those that a replay has delivered again since they were selected. */
export async function deleteEvents(
  queue: QueueData,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  await queue.change(removeEvents, { tenantId, ids: jsonOfIds(ids) })
}

/**
 * The appended empty text keeps PostgreSQL from using an index by tenant, which would read all deliveries of the
 * tenant: it uses the index by event.
 */
function withoutDelivery(dialect: Dialect) {
  const isOfTenant =
    dialect === 'postgres'
      ? sql<boolean>`delivery.tenant_id || '' = event.tenant_id`
      : sql<boolean>`delivery.tenant_id = event.tenant_id`
  return ({ not, exists, selectFrom }: ExpressionBuilder<QueueTables, 'event'>) =>
    not(
      exists(
        selectFrom('delivery')
          .select('delivery.id')
          .where(isOfTenant)
          .where(equalByIndex(dialect, 'delivery.event_id', 'event.id')),
      ),
    )
}

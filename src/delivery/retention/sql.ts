import { type ExpressionBuilder, sql } from 'kysely'
import type { QueueData } from '../../database/data.ts'
import { jsonRows } from '../../database/json-rows.ts'
import { prepareForAll } from '../../database/prepared.ts'
import type { QueueTables } from '../../database/tables.ts'

/** From tenant to tenant by the primary key of the events: whoever has deliveries has events. */
const tenant = prepareForAll((tables, p: { after: string }) =>
  tables
    .selectFrom('event')
    .select(({ fn }) => fn.min('tenant_id').as('tenantId'))
    .where('tenant_id', '>', p.after),
)

/** @returns the next tenant that has events, `null` behind the last */
export async function tenantAfter(queue: QueueData, after: string): Promise<string | null> {
  const [row] = await queue.all(tenant, { after })
  return row?.tenantId ?? null
}

interface Old {
  tenantId: string
  /** Everything older has a smaller id. */
  beforeId: string
  before: string
  after: string
  limit: number
}

/** What is still waiting is not old, whenever it arose. */
const oldDeliveries = prepareForAll((tables, p: Old) =>
  tables
    .selectFrom('delivery')
    .select('id')
    .where('tenant_id', '=', p.tenantId)
    .where('id', '>', p.after)
    .where('id', '<', p.beforeId)
    .where('queue', 'is', null)
    .where(sql<boolean>`coalesce(finished_at, created_at) < ${p.before}`)
    .orderBy('id')
    .limit(p.limit),
)

export async function finishedDeliveries(queue: QueueData, old: Old): Promise<string[]> {
  return (await queue.all(oldDeliveries, old)).map(({ id }) => id)
}

const removeDeliveries = prepareForAll((tables, p: { tenantId: string; ids: string }, dialect) =>
  tables
    .deleteFrom('delivery')
    .where('tenant_id', '=', p.tenantId)
    .where('id', 'in', (from) =>
      from.selectFrom(jsonRows<{ id: string }, 'given'>(dialect, p.ids, { id: 'id' }, 'given')).select('id'),
    )
    .where('queue', 'is', null),
)

const removeAttempts = prepareForAll((tables, p: { tenantId: string; ids: string }, dialect) =>
  tables
    .deleteFrom('attempt')
    .where('tenant_id', '=', p.tenantId)
    .where('delivery_id', 'in', (from) =>
      from.selectFrom(jsonRows<{ id: string }, 'given'>(dialect, p.ids, { id: 'id' }, 'given')).select('id'),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('delivery')
            .select('delivery.id')
            .whereRef('delivery.tenant_id', '=', 'attempt.tenant_id')
            .whereRef('delivery.id', '=', 'attempt.delivery_id'),
        ),
      ),
    ),
)

/** With their attempts. A recovery may have begun one anew in the meantime: that stays as it is. */
export async function deleteDeliveries(
  queue: QueueData,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  const rows = JSON.stringify(ids.map((id) => ({ id })))
  await queue.change(removeDeliveries, { tenantId, ids: rows })
  await queue.change(removeAttempts, { tenantId, ids: rows })
}

/** Dispatched, and no delivery of it is left. */
const oldEvents = prepareForAll((tables, p: Omit<Old, 'before'>, dialect) => {
  const query = tables
    .selectFrom('event')
    .select('id')
    .where('tenant_id', '=', p.tenantId)
    .where('id', '>', p.after)
    .where('id', '<', p.beforeId)
    .where('dispatched_at', 'is not', null)
    .where(withoutDelivery)
    .orderBy('id')
    .limit(p.limit)
  return dialect === 'postgres' ? query.forUpdate().skipLocked() : query
})

/** To be called in the transaction that deletes them: until it ends nobody replays a delivery of one. */
export async function finishedEvents(queue: QueueData, old: Omit<Old, 'before'>): Promise<string[]> {
  return (await queue.all(oldEvents, old)).map(({ id }) => id)
}

const removeEvents = prepareForAll((tables, p: { tenantId: string; ids: string }, dialect) =>
  tables
    .deleteFrom('event')
    .where('tenant_id', '=', p.tenantId)
    .where('id', 'in', (from) =>
      from.selectFrom(jsonRows<{ id: string }, 'given'>(dialect, p.ids, { id: 'key' }, 'given')).select('id'),
    )
    .where(withoutDelivery),
)

/** A replay may have been committed while they were being chosen: what it refers to stays. */
export async function deleteEvents(
  queue: QueueData,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  await queue.change(removeEvents, { tenantId, ids: JSON.stringify(ids.map((id) => ({ id }))) })
}

function withoutDelivery({ not, exists, selectFrom }: ExpressionBuilder<QueueTables, 'event'>) {
  return not(
    exists(
      selectFrom('delivery')
        .select('delivery.id')
        .whereRef('delivery.tenant_id', '=', 'event.tenant_id')
        .whereRef('delivery.event_id', '=', 'event.id'),
    ),
  )
}

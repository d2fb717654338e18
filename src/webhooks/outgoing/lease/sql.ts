import { sql } from 'kysely'
import type { QueueData, TenantData } from '../../../database/data.ts'
import { beforeAllIds } from '../../../database/json-page.ts'
import { jsonRows, lookedUp } from '../../../database/json-rows.ts'
import { prepare, prepareForAll } from '../../../database/prepared.ts'
import { linesOf } from '../queue/lane.ts'
import { type DeliveryKey, keyColumns } from '../queue/sql.ts'

interface GivenBack extends DeliveryKey {
  dueAt: string
}

const giveBack = prepareForAll((tables, p: { rows: string; lease: string }, dialect) =>
  tables
    .updateTable('delivery')
    .from(jsonRows<GivenBack, 'given'>(dialect, p.rows, { ...keyColumns, dueAt: 'timestamp' }, 'given'))
    .set(({ ref }) => ({ lease: null, next_at: ref('given.dueAt') }))
    .where(lookedUp(dialect, 'delivery.tenant_id', 'given.tenantId'))
    .where(lookedUp(dialect, 'delivery.id', 'given.id'))
    .where('lease', '=', p.lease),
)

/** Undoes a claim: the deliveries are due again as they were. */
export async function giveBackLeases(
  queue: QueueData,
  lease: string,
  rows: readonly GivenBack[],
): Promise<void> {
  const json = JSON.stringify(rows.map(({ tenantId, id, dueAt }) => ({ tenantId, id, dueAt })))
  await queue.change(giveBack, { rows: json, lease })
}

/** Where a delivery waits, in the order of the index. */
export interface Place extends DeliveryKey {
  line: string
  dueAt: string
  lease: string | null
}

interface Behind {
  line: string
  dueAt: string
  id: string
  limit: number
}

const places = prepareForAll((tables, p: Behind) =>
  tables
    .selectFrom('delivery')
    .select(['tenant_id as tenantId', 'id', 'queue as line', 'next_at as dueAt', 'lease'])
    .where('queue', 'is not', null)
    .where(sql<boolean>`(queue, next_at, id) > (${p.line}, ${p.dueAt}, ${p.id})`)
    .orderBy('queue')
    .orderBy('next_at')
    .orderBy('id')
    .limit(p.limit),
)

const beforeAll = { line: '', dueAt: '1970-01-01T00:00:00.000Z', id: beforeAllIds }

/** The deliveries that wait, leased or not. @param after the last one seen, `null` to begin */
export async function placesFrom(queue: QueueData, after: Place | null, limit: number): Promise<Place[]> {
  const { line, dueAt, id } = after ?? beforeAll
  const rows = await queue.all(places, { line, dueAt, id, limit })
  return rows.map((row) => ({ ...row, line: row.line ?? '', dueAt: row.dueAt ?? '' })) // it waits: neither is null
}

const end = prepareForAll((tables, p: { rows: string; now: string }, dialect) =>
  tables
    .updateTable('delivery')
    .from(jsonRows<Leased, 'given'>(dialect, p.rows, { ...keyColumns, lease: 'text' }, 'given'))
    .set({ lease: null, next_at: p.now })
    .where(lookedUp(dialect, 'delivery.tenant_id', 'given.tenantId'))
    .where(lookedUp(dialect, 'delivery.id', 'given.id'))
    .whereRef('delivery.lease', '=', 'given.lease'),
)

interface Leased extends DeliveryKey {
  lease: string | null
}

/** What they held is due at once. */
export async function endLeases(queue: QueueData, leased: readonly Leased[], now: string): Promise<void> {
  const json = JSON.stringify(leased.map(({ tenantId, id, lease }) => ({ tenantId, id, lease })))
  await queue.change(end, { rows: json, now })
}

const held = prepare((tables, p: { from: string; to: string; now: string }) =>
  tables
    .selectFrom('delivery')
    .select('id')
    .where('queue', '>', p.from)
    .where('queue', '<', p.to)
    .where('lease', 'is not', null)
    .where('next_at', '>', p.now)
    .limit(1),
)

export async function hasLease(data: TenantData, now: string): Promise<boolean> {
  return (await data.first(held, { ...linesOf(data.tenantId), now })) !== null
}

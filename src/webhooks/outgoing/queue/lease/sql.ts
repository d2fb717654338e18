import { sql } from 'kysely'
import type { QueueData, TenantData } from '../../../../database/data.ts'
import { beforeAllIds } from '../../../../database/json-page.ts'
import { isGivenRow, jsonRows, type RowKey, rowKeyColumns } from '../../../../database/json-rows.ts'
import { prepare, prepareForAll } from '../../../../database/prepared.ts'
import { queueKeyRange } from '../key.ts'

interface ReturnedDelivery extends RowKey {
  dueAt: string
  lease: string
}

const clear = prepareForAll((tables, p: ReturnedDelivery) =>
  tables
    .updateTable('delivery')
    .set({ lease: null, next_at: p.dueAt })
    .where('tenant_id', '=', p.tenantId)
    .where('id', '=', p.id)
    .where('lease', '=', p.lease),
)

/** Removes the lease. @param dueAt when the delivery was due before the lease, and is due again */
export async function clearLease(
  queue: QueueData,
  lease: string,
  { tenantId, id, dueAt }: RowKey & { dueAt: string },
): Promise<void> {
  await queue.change(clear, { tenantId, id, dueAt, lease })
}

/** A waiting delivery, leased or not, by its position in the index of the queue. */
export interface LeasePosition extends RowKey {
  key: string
  dueAt: string
  lease: string | null
}

/** Where a page begins. */
interface After {
  key: string
  dueAt: string
  id: string
  limit: number
}

const positions = prepareForAll((tables, p: After) =>
  tables
    .selectFrom('delivery')
    .select(['tenant_id as tenantId', 'id', 'queue as key', 'next_at as dueAt', 'lease'])
    .where('queue', 'is not', null)
    .where(sql<boolean>`(queue, next_at, id) > (${p.key}, ${p.dueAt}, ${p.id})`)
    .orderBy('queue')
    .orderBy('next_at')
    .orderBy('id')
    .limit(p.limit),
)

const beforeAll = { key: '', dueAt: '1970-01-01T00:00:00.000Z', id: beforeAllIds }

/** @param after the last position of the page before; `null` for the first page */
export async function leasesFrom(
  queue: QueueData,
  after: LeasePosition | null,
  limit: number,
): Promise<LeasePosition[]> {
  const { key, dueAt, id } = after ?? beforeAll
  const rows = await queue.all(positions, { key, dueAt, id, limit })
  return rows.map((row) => ({ ...row, key: row.key ?? '', dueAt: row.dueAt ?? '' })) // not null for a waiting delivery
}

const expire = prepareForAll((tables, p: { rows: string; now: string }, dialect) =>
  tables
    .updateTable('delivery')
    .from(jsonRows<Leased>(dialect, p.rows, { ...rowKeyColumns, lease: 'text' }))
    .set({ lease: null, next_at: p.now })
    .where(isGivenRow(dialect, 'delivery'))
    .whereRef('delivery.lease', '=', 'given.lease'),
)

interface Leased extends RowKey {
  lease: string | null
}

/** Makes the deliveries due now, except those that have got another lease in the meantime. */
export async function expireLeases(queue: QueueData, leased: readonly Leased[], now: string): Promise<void> {
  const json = JSON.stringify(leased.map(({ tenantId, id, lease }) => ({ tenantId, id, lease })))
  await queue.change(expire, { rows: json, now })
}

const leasedOfTenant = prepare((tables, p: { from: string; to: string; now: string }) =>
  tables
    .selectFrom('delivery')
    .select('id')
    .where('queue', '>', p.from)
    .where('queue', '<', p.to)
    .where('lease', 'is not', null)
    .where('next_at', '>', p.now)
    .limit(1),
)

/** @returns whether a delivery of the tenant has a lease that has not ended */
export async function hasLease(data: TenantData, now: string): Promise<boolean> {
  return (await data.first(leasedOfTenant, { ...queueKeyRange(data.tenantId), now })) !== null
}

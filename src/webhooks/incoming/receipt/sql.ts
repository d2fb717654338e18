/** Statements on receipts: stored once, found, locked. */
import type { Selectable } from 'kysely'
import type { TenantData } from '../../../database/data.ts'
import { lockedIn } from '../../../database/locked-rows.ts'
import { pick, prepare } from '../../../database/prepared.ts'
import type { WebhookReceiptTable } from '../table.ts'

export type ReceiptRow = Omit<Selectable<WebhookReceiptTable>, 'tenant_id'>

const receiptColumns = [
  'id',
  'provider',
  'event_id',
  'event_type',
  'status',
  'hops',
  'scheme',
  'secret_place',
  'received_at',
  'event_key',
  'headers',
  'body',
] as const

const insert = prepare((tables, p: ReceiptRow) =>
  tables
    .insertInto('webhook_receipt')
    .values(pick(p, receiptColumns))
    .onConflict((conflict) => conflict.columns(['tenant_id', 'provider', 'event_key']).doNothing()),
)

const idByKey = prepare((tables, p: { provider: string; eventKey: string }) =>
  tables
    .selectFrom('webhook_receipt')
    .select('id')
    .where('provider', '=', p.provider)
    .where('event_key', '=', p.eventKey),
)

const byId = prepare((tables, p: { id: string }) =>
  tables.selectFrom('webhook_receipt').select(receiptColumns).where('id', '=', p.id),
)

const lock = prepare((tables, p: { id: string }, dialect) =>
  tables.selectFrom('webhook_receipt').select('id').where('id', '=', p.id).$call(lockedIn(dialect)),
)

const setStatus = prepare((tables, p: { id: string; status: string }) =>
  tables.updateTable('webhook_receipt').set({ status: p.status }).where('id', '=', p.id),
)

/**
 * Simultaneous messages of one event wait for each other at the unique constraint.
 * @returns whether this is the first message of the event
 */
export async function insertReceipt(data: TenantData, row: ReceiptRow): Promise<boolean> {
  return (await data.change(insert, row)) === 1
}

export async function findReceiptId(
  data: TenantData,
  provider: string,
  eventKey: string,
): Promise<string | null> {
  return (await data.first(idByKey, { provider, eventKey }))?.id ?? null
}

export function findReceipt(data: TenantData, id: string): Promise<ReceiptRow | null> {
  return data.first(byId, { id })
}

/** Locks the receipt until the transaction ends. */
export async function lockReceipt(data: TenantData, id: string): Promise<void> {
  await data.first(lock, { id })
}

export async function setReceiptStatus(data: TenantData, id: string, status: string): Promise<void> {
  await data.change(setStatus, { id, status })
}

const next = prepare((tables, p: { from: string }) =>
  tables
    .selectFrom('webhook_receipt')
    .select(['id', 'received_at as createdAt'])
    .where('id', '>=', p.from)
    .orderBy('id')
    .limit(1),
)

/** The first receipt with this id or a later one, `null` when there is none. */
export function receiptFrom(
  data: TenantData,
  from: string,
): Promise<{ id: string; createdAt: string } | null> {
  return data.first(next, { from })
}

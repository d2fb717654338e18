import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely'
import type { TenantData } from '../../database/data.ts'
import type { WebhookReceiptTable, WebhookRunTable } from '../../database/incoming-tables.ts'
import { prepare } from '../../database/prepared.ts'
import type { TenantTables } from '../../database/tables.ts'

export type ReceiptRow = Omit<Selectable<WebhookReceiptTable>, 'tenant_id'>
export type RunRow = Omit<Selectable<WebhookRunTable>, 'tenant_id'>
export type ReceiptSummaryRow = Omit<ReceiptRow, 'headers' | 'body' | 'event_key'>

const summaryColumns = [
  'id',
  'provider',
  'event_id',
  'event_type',
  'status',
  'hops',
  'scheme',
  'secret_place',
  'received_at',
] as const
const receiptColumns = [...summaryColumns, 'event_key', 'headers', 'body'] as const
const runColumns = [
  'receipt_id',
  'id',
  'rule_id',
  'action',
  'status',
  'attempts',
  'error',
  'next_at',
  'created_at',
  'finished_at',
] as const

const insert = prepare((tables, p: ReceiptRow) =>
  tables
    .insertInto('webhook_receipt')
    .values({
      id: p.id,
      provider: p.provider,
      event_key: p.event_key,
      event_id: p.event_id,
      event_type: p.event_type,
      status: p.status,
      hops: p.hops,
      scheme: p.scheme,
      secret_place: p.secret_place,
      headers: p.headers,
      body: p.body,
      received_at: p.received_at,
    })
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

const lock = prepare((tables, p: { id: string }, dialect) => {
  const query = tables.selectFrom('webhook_receipt').select('id').where('id', '=', p.id)
  return dialect === 'postgres' ? query.forUpdate() : query // SQLite's writer is alone anyway
})

const setStatus = prepare((tables, p: { id: string; status: string }) =>
  tables.updateTable('webhook_receipt').set({ status: p.status }).where('id', '=', p.id),
)

const runsOf = prepare((tables, p: { receiptId: string }) =>
  tables.selectFrom('webhook_run').select(runColumns).where('receipt_id', '=', p.receiptId).orderBy('id'),
)

const insertOne = prepare((tables, p: RunRow) =>
  tables.insertInto('webhook_run').values({
    receipt_id: p.receipt_id,
    id: p.id,
    rule_id: p.rule_id,
    action: p.action,
    status: p.status,
    attempts: p.attempts,
    error: p.error,
    next_at: p.next_at,
    created_at: p.created_at,
    finished_at: p.finished_at,
  }),
)

const replace = prepare((tables, p: RunRow) =>
  tables
    .updateTable('webhook_run')
    .set({
      status: p.status,
      attempts: p.attempts,
      error: p.error,
      next_at: p.next_at,
      finished_at: p.finished_at,
    })
    .where('receipt_id', '=', p.receipt_id)
    .where('id', '=', p.id),
)

/** Simultaneous ones of the same event wait here for each other. @returns whether it is the first of its event */
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

/** Nobody else works on it until this transaction ends. */
export async function lockReceipt(data: TenantData, id: string): Promise<void> {
  await data.first(lock, { id })
}

export async function setReceiptStatus(data: TenantData, id: string, status: string): Promise<void> {
  await data.change(setStatus, { id, status })
}

/** In the order in which they began. */
export function runsOfReceipt(data: TenantData, receiptId: string): Promise<RunRow[]> {
  return data.all(runsOf, { receiptId })
}

export async function insertRun(data: TenantData, run: RunRow): Promise<void> {
  await data.change(insertOne, run)
}

export async function replaceRun(data: TenantData, run: RunRow): Promise<void> {
  await data.change(replace, run)
}

export interface ReceiptFilter {
  provider?: string
  eventType?: string
  status?: string
  since?: string
  until?: string
}

/** Newest first. @param before the id to go on behind, or `null` for the newest */
export function receiptPage(
  data: TenantData,
  filter: ReceiptFilter,
  before: string | null,
  limit: number,
): Promise<ReceiptSummaryRow[]> {
  return data.kysely
    .selectFrom('webhook_receipt')
    .select(summaryColumns)
    .where((eb) => eb.and([...conditions(eb, filter), ...(before === null ? [] : [eb('id', '<', before)])]))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

function conditions(
  eb: ExpressionBuilder<TenantTables, 'webhook_receipt'>,
  { provider, eventType, status, since, until }: ReceiptFilter,
): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = []
  if (provider !== undefined) all.push(eb('provider', '=', provider))
  if (eventType !== undefined) all.push(eb('event_type', '=', eventType))
  if (status !== undefined) all.push(eb('status', '=', status))
  if (since !== undefined) all.push(eb('received_at', '>=', since))
  if (until !== undefined) all.push(eb('received_at', '<', until))
  return all
}

/** The log of received webhooks. */
import { isUtf8 } from 'node:buffer'
import type { Context, IncomingEvent } from '../../../core/context.ts'
import { ServiceError } from '../../../core/errors.ts'
import { isUuid } from '../../../core/id.ts'
import { CallerTime } from '../../../core/limits/caller-time.ts'
import { mayReach } from '../../../core/ownership.ts'
import { decodeCursor, type Page, readPage } from '../../../core/page.ts'
import { idsOfPeriod } from '../../outgoing/log/period.ts'
import { maxRules } from '../rule/rule.ts'
import { toRunInput } from '../run/run.ts'
import { type RunRow, runsOfReceipt } from '../run/sql.ts'
import type { Receipt, ReceiptQuery, ReceiptStatus, ReceiptWithRuns, RunStatus } from './schema.ts'
import { findReceipt, type ReceiptFilter, type ReceiptSummaryRow, receiptFrom, receiptPage } from './sql.ts'

/** Per receipt. Each replay begins new runs, and removes the oldest that have ended. */
export const maxRuns = 2 * maxRules

export interface ReceiptListing extends ReceiptQuery {
  limit: number
}

/** Newest first. @throws ServiceError `invalid` for a foreign cursor */
export async function listReceipts(context: Context, query: ReceiptListing): Promise<Page<Receipt>> {
  const before = query.cursor === undefined ? null : decodeCursor(query.cursor, isUuid)
  const filter = filterOf(query)
  const bounds = await idsOfPeriod(context.data, filter, receiptFrom)
  return readPage(query.limit, async (limit) => {
    const time = new CallerTime(context)
    const found = await receiptPage(context.data, { ...filter, ...bounds }, { before, limit, time })
    return found.map(toReceipt)
  })
}

/** @throws ServiceError `notFound` */
export async function getReceipt(context: Context, id: string): Promise<ReceiptWithRuns> {
  const row = await findReceipt(context.data, id)
  if (row === null) throw noSuchReceipt()
  const runs = await runsOfReceipt(context.data, id, maxRuns)
  const isText = isUtf8(row.body)
  return {
    ...toReceipt(row),
    headers: JSON.parse(row.headers) as Record<string, string>, // written by `receive`
    body: Buffer.from(row.body).toString(isText ? 'utf8' : 'base64'),
    bodyEncoding: isText ? 'utf8' : 'base64',
    verification: {
      verified: true,
      scheme: row.scheme as ReceiptWithRuns['verification']['scheme'], // written by `receive`
      secret: row.secret_place === 0 ? 'current' : 'former',
    },
    runs: runs.filter(({ owner }) => mayReach(context.actor, owner)).map(toRun),
  }
}

/** The event of a receipt, as actions get it. @throws ServiceError `notFound` */
export async function getReceivedEvent(context: Context, id: string): Promise<IncomingEvent> {
  const row = await findReceipt(context.data, id)
  if (row === null) throw noSuchReceipt()
  return toRunInput(row).event
}

export function noSuchReceipt(): ServiceError {
  return new ServiceError('notFound', 'There is no such receipt.')
}

function toReceipt(row: ReceiptSummaryRow): Receipt {
  return {
    id: row.id,
    provider: row.provider,
    eventId: row.event_id,
    eventType: row.event_type,
    status: row.status as ReceiptStatus, // written from the list of the schema
    hops: row.hops,
    receivedAt: row.received_at,
  }
}

function toRun(row: RunRow): ReceiptWithRuns['runs'][number] {
  return {
    id: row.id,
    ruleId: row.rule_id,
    action: row.action,
    status: row.status as RunStatus, // written from the list of the schema
    attempts: row.attempts,
    error: row.error,
    nextAttemptAt: row.next_at,
    startedAt: row.created_at,
    finishedAt: row.finished_at,
  }
}

function filterOf({ provider, eventType, status, since, until }: ReceiptListing): ReceiptFilter {
  return {
    ...(provider !== undefined && { provider: provider.toLowerCase() }),
    ...(eventType !== undefined && { eventType }),
    ...(status !== undefined && { status }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
}

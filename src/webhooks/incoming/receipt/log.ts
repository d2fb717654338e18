/** A received webhook, with its message and its runs. */
import { isUtf8 } from 'node:buffer'
import type { Context, IncomingEvent } from '../../../core/context.ts'
import { refusal, type ServiceError } from '../../../core/errors.ts'
import { mayReach } from '../../../core/ownership.ts'
import { maxRules } from '../rule/rule.ts'
import { toRunInput } from '../run/run.ts'
import { type RunRow, runsOfReceipt } from '../run/sql.ts'
import { receipts } from './readable.ts'
import type { ReceiptWithRuns, RunStatus } from './schema.ts'
import { findReceipt } from './sql.ts'

/** The most runs of one receipt. Each replay begins new runs, and removes the oldest runs that have ended. */
export const maxRuns = 2 * maxRules

/** @throws ServiceError `notFound` */
export async function getReceipt(context: Context, id: string): Promise<ReceiptWithRuns> {
  const receipt = await receipts.show(context, id)
  const row = await findReceipt(context.data, id)
  if (row === null) throw noSuchReceipt()
  const runs = await runsOfReceipt(context.data, id, maxRuns)
  const isText = isUtf8(row.body)
  return {
    ...receipt,
    headers: JSON.parse(row.headers) as Record<string, string>, // written by `receive`
    body: Buffer.from(row.body).toString(isText ? 'utf8' : 'base64'),
    bodyEncoding: isText ? 'utf8' : 'base64',
    verification: {
      verified: true,
      scheme: row.scheme as ReceiptWithRuns['verification']['scheme'], // written by `receive`
      secret: row.secret_place === 0 ? 'current' : 'former',
    },
    // Administrators see all runs, others those of their own rules.
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
  return refusal('noSuch', { label: 'receipt' })
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

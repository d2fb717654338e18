/** Runs an action for a receipt, in the transaction of what the action changes. */

import { type Context, type IncomingEvent, type Logger, now } from '../../../core/context.ts'
import { webhookContext } from '../../../core/create-context.ts'
import { ServiceError } from '../../../core/errors.ts'
import { chargeBytes } from '../../../core/limits/body-cost.ts'
import type { CostAccount } from '../../../core/limits/cost-limiter.ts'
import { nextAttempt } from '../../../core/queue/retry.ts'
import { ConstraintViolation, DatabaseUnavailable } from '../../../database/executor.ts'
import { inSavepoint } from '../../../database/savepoint.ts'
import type { ReceiptStatus, RunStatus } from '../receipt/schema.ts'
import { type ReceiptRow, setReceiptStatus } from '../receipt/sql.ts'
import { parsePayload } from '../receive/payload.ts'
import { readOrigin } from './chain.ts'
import { type RunRow, runStatusesOf } from './sql.ts'

/** Runs in one transaction: a piece. */
export const maxRunsAtOnce = 10
/** Of the body, once for each action: each may write it again. */
export const maxBytesAtOnce = 256 * 1024
const maxErrorLength = 500

/** A receipt, as actions get it. */
export interface Subject {
  event: IncomingEvent
  hops: number
  /** The event or the receipt with which its chain of webhooks has begun; `null` when it is the first. */
  origin: string | null
  /** The size of its body. */
  bytes: number
}

/**
 * The change of the action is kept with the outcome of the attempt, or undone when the action throws. It is in a
 * savepoint and not in a transaction of its own: a crash between two transactions could run it twice.
 * @returns the run as it is to be stored
 * @throws DatabaseUnavailable
 */
export async function attemptRun(
  inside: Context,
  run: RunRow,
  { event, hops, origin }: Subject,
  schedule: readonly number[],
): Promise<RunRow> {
  const { transaction, shared } = inside
  if (transaction === null) throw new Error('An action ran outside a transaction.')
  const action = shared.actions.find(run.action)
  const ended = { next_at: null, finished_at: now(inside) }
  if (action === null) return { ...run, ...ended, status: 'UNHANDLED', error: 'There is no such action.' }
  const attempts = run.attempts + 1
  try {
    await inSavepoint(transaction, () =>
      action(webhookContext(inside, { hops: hops + 1, origin: origin ?? event.receiptId }), event),
    )
    return { ...run, ...ended, attempts, status: 'SUCCEEDED', error: null }
  } catch (error) {
    const failed = { ...run, attempts, error: describeFailure(shared.log, error, run) }
    const next = nextAttempt({ schedule, attempts, now: shared.clock(), retryAfter: null, isGone: false })
    if ('dead' in next) return { ...failed, ...ended, status: 'DEAD' }
    return { ...failed, status: 'PENDING', next_at: next.at.toISOString() }
  }
}

/** Sets the status of the receipt by those of its runs. */
export async function settleReceipt(inside: Context, receiptId: string): Promise<void> {
  const statuses = (await runStatusesOf(inside.data, receiptId)) as RunStatus[] // nothing else is written there
  await setReceiptStatus(inside.data, receiptId, statusOfRuns(statuses))
}

/** @returns the receipt as actions get it */
export function subjectOf(receipt: ReceiptRow): Subject {
  const headers = JSON.parse(receipt.headers) as Record<string, string> // as they were kept
  return {
    hops: receipt.hops,
    origin: readOrigin(headers),
    bytes: receipt.body.length,
    event: {
      receiptId: receipt.id,
      provider: receipt.provider,
      id: receipt.event_id,
      type: receipt.event_type,
      payload: parsePayload(receipt.body, headers['content-type'] ?? null),
      receivedAt: receipt.received_at,
    },
  }
}

/** @returns how many runs of a receipt are in one piece: at least one, however large the body is */
export function runsAtOnce(bodyBytes: number): number {
  return Math.max(1, Math.min(maxRunsAtOnce, Math.floor(maxBytesAtOnce / Math.max(1, bodyBytes))))
}

/**
 * Charges for a large body once for each action, as if it had been sent as often, and for each action beyond the first
 * piece.
 * @param open the account that pays, opened only when something is charged; what it throws is thrown
 */
export function chargeRuns(runs: number, bodyBytes: number, open: () => CostAccount): void {
  const account = chargeBytes(bodyBytes, open, runs)
  const later = runs - runsAtOnce(bodyBytes)
  if (later > 0) (account ?? open()).spend(later)
}

/** The most urgent status of any run: failures have precedence over successes. */
function statusOfRuns(statuses: readonly RunStatus[]): ReceiptStatus {
  const order = ['PENDING', 'DEAD', 'UNHANDLED', 'SUCCEEDED'] as const
  return order.find((status) => statuses.includes(status)) ?? 'UNMATCHED'
}

/**
 * The error of a run whose action has thrown. Errors of systems, which have a code, are for the log alone.
 * @throws DatabaseUnavailable as it is: then nothing can be recorded either
 */
function describeFailure(
  log: Logger,
  error: unknown,
  { id, receipt_id, action }: { id: string; receipt_id: string; action: string },
): string {
  if (error instanceof DatabaseUnavailable) throw error
  if (error instanceof ServiceError) return storable(error.message)
  log.warn({ err: error, run: id, receipt: receipt_id, action }, 'action failed')
  const isOfSystem = error instanceof ConstraintViolation || !(error instanceof Error) || 'code' in error
  return isOfSystem
    ? `The action failed. The log has the cause under the run ${id}.`
    : storable(error.message)
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').slice(0, maxErrorLength).toWellFormed()
}

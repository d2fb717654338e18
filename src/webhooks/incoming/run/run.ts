/** One action for one receipt: each attempt in the transaction of what it changes. */
import { type Context, now } from '../../../core/context.ts'
import { causedContext } from '../../../core/create-context.ts'
import type { IncomingEvent } from '../../../core/feature/incoming-event.ts'
import { inSavepoint } from '../../../database/savepoint.ts'
import { nextAttempt } from '../../outgoing/retry.ts'
import { type ReceiptRow, setReceiptStatus } from '../receipt/sql.ts'
import { type RunStatus, statusOfRuns } from '../receipt/status.ts'
import { readOrigin } from '../receive/hops.ts'
import { parsePayload } from '../receive/payload.ts'
import { describeFailure } from './failure.ts'
import { type RunRow, runStatusesOf } from './sql.ts'

/** What an action is about. */
export interface Subject {
  event: IncomingEvent
  hops: number
  /** What has begun the chain of webhooks that it is part of; `null` when it is the first. */
  origin: string | null
  /** Of its body. */
  bytes: number
}

/**
 * What the action changes is kept with the outcome of the attempt, or undone when it throws: a savepoint, and not a
 * transaction of its own, because otherwise a crash between the two could run it twice.
 * @returns the run as it is to be stored
 * @throws DatabaseUnavailable
 */
export async function attempt(
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
      action(causedContext(inside, { hops: hops + 1, origin: origin ?? event.receiptId }), event),
    )
    return { ...run, ...ended, attempts, status: 'SUCCEEDED', error: null }
  } catch (error) {
    const failed = { ...run, attempts, error: describeFailure(shared.log, error, run) }
    const next = nextAttempt({ schedule, attempts, now: shared.clock(), retryAfter: null, gone: false })
    if ('dead' in next) return { ...failed, ...ended, status: 'DEAD' }
    return { ...failed, status: 'PENDING', next_at: next.at.toISOString() }
  }
}

/** Brings the receipt in step with its runs. */
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

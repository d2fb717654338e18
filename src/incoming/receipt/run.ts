/** One action for one receipt: each attempt in the transaction of what it changes. */
import { type Context, now } from '../../context.ts'
import { inSavepoint } from '../../database/savepoint.ts'
import { nextAttempt } from '../../delivery/retry.ts'
import { actionContext } from '../action/action-context.ts'
import type { IncomingEvent } from '../action/event.ts'
import { parsePayload } from '../receive/payload.ts'
import { describeFailure } from './failure.ts'
import { type ReceiptRow, type RunRow, runsOfReceipt, setReceiptStatus } from './sql.ts'
import { type RunStatus, statusOfRuns } from './status.ts'

/** What an action is about. */
export interface Subject {
  event: IncomingEvent
  hops: number
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
  { event, hops }: Subject,
  schedule: readonly number[],
): Promise<RunRow> {
  const { transaction, shared } = inside
  if (transaction === null) throw new Error('An action ran outside a transaction.')
  const action = shared.actions.find(run.action)
  const ended = { next_at: null, finished_at: now(inside) }
  if (action === null) return { ...run, ...ended, status: 'UNHANDLED', error: 'There is no such action.' }
  const attempts = run.attempts + 1
  try {
    await inSavepoint(transaction, () => action(actionContext(inside, hops), event))
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
  const runs = await runsOfReceipt(inside.data, receiptId)
  const status = statusOfRuns(runs.map((run) => run.status as RunStatus)) // nothing else is written there
  await setReceiptStatus(inside.data, receiptId, status)
}

/** @returns the receipt as actions get it */
export function subjectOf(receipt: ReceiptRow): Subject {
  const headers = JSON.parse(receipt.headers) as Record<string, string> // as they were kept
  return {
    hops: receipt.hops,
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

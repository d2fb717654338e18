/** Runs an action for a receipt, in one transaction with the changes of the action. */
import {
  type Context,
  type IncomingEvent,
  type Logger,
  now,
  type RunnableAction,
} from '../../../core/context.ts'
import { webhookContext } from '../../../core/create-context.ts'
import { ServiceError } from '../../../core/errors.ts'
import { chargeBytes } from '../../../core/limits/body-cost.ts'
import type { CostAccount } from '../../../core/limits/cost-limiter.ts'
import { type OwnerRights, permits, type Rights } from '../../../core/owner.ts'
import { failureText } from '../../../core/queue/failure-text.ts'
import { nextAttempt } from '../../../core/queue/retry.ts'
import { DatabaseUnavailable } from '../../../database/executor.ts'
import { inSavepoint } from '../../../database/savepoint.ts'
import type { ReceiptStatus, RunStatus } from '../receipt/schema.ts'
import { type ReceiptRow, setReceiptStatus } from '../receipt/sql.ts'
import { parsePayload } from '../receive/payload.ts'
import { readOrigin } from './chain.ts'
import { type RunRow, runStatusesOf } from './sql.ts'

/** The most runs of one transaction, which is called a batch. */
export const maxRunsAtOnce = 10
/** The most bytes of bodies that the actions of one batch may store: each action may store the body once. */
export const maxBytesAtOnce = 256 * 1024

/** What the actions of a receipt get. */
export interface RunInput {
  event: IncomingEvent
  /** The number of webhooks of this service that led to the receipt. */
  hops: number
  /** The event or the receipt that began the chain of webhooks; `null` for the first. */
  origin: string | null
  /** The size of the body, in bytes. */
  bytes: number
}

export interface ActionRunOptions {
  /** Seconds from each failed attempt to the next. */
  retrySeconds: readonly number[]
  /** The rights of the owners of the runs. They are loaded before the runs begin. */
  rights: OwnerRights
}

/**
 * Commits the changes of the action together with the outcome of the attempt; undoes them when the action throws. The
 * action runs in a savepoint: with a transaction of its own, a crash before its outcome is stored could run it twice.
 * @returns the run to store
 * @throws DatabaseUnavailable
 */
export async function attemptRun(
  inside: Context,
  run: RunRow,
  { event, hops, origin }: RunInput,
  { retrySeconds: schedule, rights }: ActionRunOptions,
): Promise<RunRow> {
  const { transaction, shared } = inside
  if (transaction === null) throw new Error('An action ran outside a transaction.')
  const action = shared.actions.find(run.action)
  const ended = { next_at: null, finished_at: now(inside) }
  if (action === null) return { ...run, ...ended, status: 'UNHANDLED', error: 'There is no such action.' }
  const owner = rights.of({ tenantId: inside.tenant.id, owner: run.owner })
  const forbidden = refusalOf(action, owner)
  if (forbidden !== null) return { ...run, ...ended, status: 'FORBIDDEN', error: forbidden }
  const attempts = run.attempts + 1
  try {
    await inSavepoint(transaction, () =>
      action.run(webhookContext(inside, { hops: hops + 1, origin: origin ?? event.receiptId }, owner), event),
    )
    return { ...run, ...ended, attempts, status: 'SUCCEEDED', error: null }
  } catch (error) {
    const failed = { ...run, attempts, error: describeFailure(shared.log, error, run) }
    const next = nextAttempt({ schedule, attempts, now: shared.clock(), retryAfter: null, isGone: false })
    if ('dead' in next) return { ...failed, ...ended, status: 'DEAD' }
    return { ...failed, status: 'PENDING', next_at: next.at.toISOString() }
  }
}

/** @param owner the rights of the rule's owner, `null` for one that is gone @returns why the action does not run */
export function refusalOf({ access }: RunnableAction, owner: Rights | null): string | null {
  if (owner === null) return 'The owner of the rule was deleted, deactivated or revoked.'
  if (permits(owner, access)) return null
  return access === 'admin'
    ? 'The owner of the rule is no administrator, whom the action requires.'
    : `The owner of the rule does not have the permission ${access}, which the action requires.`
}

/** Sets the status of the receipt to the most urgent status of its runs. */
export async function updateReceiptStatus(inside: Context, receiptId: string): Promise<void> {
  const statuses = (await runStatusesOf(inside.data, receiptId)) as RunStatus[] // written from the list of the schema
  await setReceiptStatus(inside.data, receiptId, statusOfRuns(statuses))
}

export function toRunInput(receipt: ReceiptRow): RunInput {
  const headers = JSON.parse(receipt.headers) as Record<string, string> // written by `receive`
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

/** @returns the number of runs in one batch: at least one, however large the body is */
export function runsAtOnce(bodyBytes: number): number {
  return Math.max(1, Math.min(maxRunsAtOnce, Math.floor(maxBytesAtOnce / Math.max(1, bodyBytes))))
}

/**
 * Charges a large body once for each action, as if it had been sent as often, and each action beyond the first batch.
 * @param open opens the account; called only when something is charged
 */
export function chargeRuns(runs: number, bodyBytes: number, open: () => CostAccount): void {
  const account = chargeBytes(bodyBytes, open, runs)
  const later = runs - runsAtOnce(bodyBytes)
  if (later > 0) (account ?? open()).spend(later)
}

/** @returns the most urgent status: what is pending comes first, then failures, then successes */
function statusOfRuns(statuses: readonly RunStatus[]): ReceiptStatus {
  const order = ['PENDING', 'DEAD', 'FORBIDDEN', 'UNHANDLED', 'SUCCEEDED'] as const
  return order.find((status) => statuses.includes(status)) ?? 'UNMATCHED'
}

/**
 * The error text of a run whose action has thrown. System errors, which have a code, are only logged.
 * @throws DatabaseUnavailable when the action has thrown it: the outcome could not be recorded either
 */
function describeFailure(
  log: Logger,
  error: unknown,
  { id, receipt_id, action }: { id: string; receipt_id: string; action: string },
): string {
  if (error instanceof DatabaseUnavailable) throw error
  const text = failureText(error)
  if (!(error instanceof ServiceError))
    log.warn({ err: error, run: id, receipt: receipt_id, action }, 'action failed')
  return text ?? `The action failed. The log has the cause under the run ${id}.`
}

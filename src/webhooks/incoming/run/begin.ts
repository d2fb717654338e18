import { type Context, now } from '../../../core/context.ts'
import { newId } from '../../../core/id.ts'
import type { CostAccount } from '../../../core/limits/cost-limiter.ts'
import { actionQueueName } from '../queue/action-queue.ts'
import type { ReceiptRow } from '../receipt/sql.ts'
import { rulesFor } from '../rule/rule.ts'
import type { StoredRule } from '../rule/schema.ts'
import { isChainSpent } from './chain.ts'
import { attemptRun, chargeRuns, runsAtOnce, type Subject, settleReceipt, subjectOf } from './run.ts'
import { insertRun, insertRuns, type RunRow } from './sql.ts'

/**
 * Begins the action of every rule that matches, in the transaction of the receipt.
 * @param open the account that pays
 * @returns `false` when the chain of webhooks of the receipt may run no more: then nothing has begun
 */
export async function beginRuns(
  inside: Context,
  receipt: ReceiptRow,
  { retrySeconds, open }: { retrySeconds: readonly number[]; open: () => CostAccount },
): Promise<boolean> {
  const rules = await rulesFor(inside, receipt.provider, receipt.event_type)
  if (rules.length === 0) return true
  const subject = subjectOf(receipt)
  if (await isChainSpent(inside, subject.origin, rules.length)) return false
  chargeRuns(rules.length, subject.bytes, open)
  await startRuns(inside, subject, { rules, retrySeconds })
  await settleReceipt(inside, receipt.id)
  return true
}

/** Runs the first piece, in the order of the rules. What is beyond it is due at once, and left to the queue. */
export async function startRuns(
  inside: Context,
  subject: Subject,
  { rules, retrySeconds }: { rules: readonly StoredRule[]; retrySeconds: readonly number[] },
): Promise<void> {
  const runs = rules.map((rule) => newRun(inside, subject, rule))
  const atOnce = runsAtOnce(subject.bytes)
  const later = runs.slice(atOnce).map((run) => ({ ...run, next_at: run.created_at }))
  const attempted: RunRow[] = []
  for (const run of runs.slice(0, atOnce)) {
    const outcome = await attemptRun(inside, run, subject, retrySeconds)
    await insertRun(inside.data, outcome)
    attempted.push(outcome)
  }
  await insertRuns(inside.data, later)
  noteWaiting(inside, [...attempted, ...later])
}

function noteWaiting(
  { shared, tenant, tenantDatabase, transaction }: Context,
  runs: readonly RunRow[],
): void {
  const moments = runs.flatMap(({ next_at }) => (next_at === null ? [] : [Date.parse(next_at)]))
  if (moments.length === 0) return
  const due = { queue: actionQueueName, key: tenant.id, dueMs: Math.min(...moments) }
  transaction?.afterCommit(() => shared.noteDue(tenant.id, tenantDatabase, due))
}

function newRun(inside: Context, { event, origin }: Subject, { id, action }: StoredRule): RunRow {
  return {
    receipt_id: event.receiptId,
    id: newId(),
    rule_id: id,
    action,
    status: 'PENDING',
    attempts: 0,
    error: null,
    next_at: null,
    created_at: now(inside),
    finished_at: null,
    origin,
  }
}

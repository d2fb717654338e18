import { type Context, now } from '../../../core/context.ts'
import { newId } from '../../../core/id.ts'
import type { CostAccount } from '../../../core/limits/cost-limiter.ts'
import type { ReceiptRow } from '../receipt/sql.ts'
import type { Waiting } from '../retry/waiting.ts'
import { rulesFor } from '../rule/rule.ts'
import type { StoredRule } from '../rule/schema.ts'
import { isChainSpent } from './chain.ts'
import { chargeRuns, runsAtOnce } from './piece.ts'
import { attempt, type Subject, settleReceipt, subjectOf } from './run.ts'
import { insertRun, insertRuns, type RunRow } from './sql.ts'

/**
 * Begins what every rule that matches asks for, in the transaction of the receipt.
 * @param open the account of who pays
 * @returns `false` when the chain of webhooks that the receipt is part of may run no more: then nothing has begun
 */
export async function beginRuns(
  inside: Context,
  receipt: ReceiptRow,
  { waiting, open }: { waiting: Waiting; open: () => CostAccount },
): Promise<boolean> {
  const rules = await rulesFor(inside, receipt.provider, receipt.event_type)
  if (rules.length === 0) return true
  const subject = subjectOf(receipt)
  if (await isChainSpent(inside, subject.origin, rules.length)) return false
  chargeRuns(rules.length, subject.bytes, open)
  await startRuns(inside, subject, { rules, waiting })
  await settleReceipt(inside, receipt.id)
  return true
}

/** Runs the first piece, in the order of the rules. What is beyond it is due at once, for the job that tries again. */
export async function startRuns(
  inside: Context,
  subject: Subject,
  { rules, waiting }: { rules: readonly StoredRule[]; waiting: Waiting },
): Promise<void> {
  const runs = rules.map((rule) => newRun(inside, subject, rule))
  const most = runsAtOnce(subject.bytes)
  const later = runs.slice(most).map((run) => ({ ...run, next_at: run.created_at }))
  let isWaiting = later.length > 0
  for (const run of runs.slice(0, most)) {
    const attempted = await attempt(inside, run, subject, waiting.retrySeconds)
    await insertRun(inside.data, attempted)
    isWaiting ||= attempted.next_at !== null
  }
  await insertRuns(inside.data, later)
  if (isWaiting) inside.transaction?.afterCommit(() => waiting.note(inside.tenant))
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

import { type Context, now } from '../../context.ts'
import { newId } from '../../id.ts'
import type { Waiting } from '../retry/waiting.ts'
import { rulesFor } from '../rule/rule.ts'
import type { StoredRule } from '../rule/schema.ts'
import { attempt, type Subject, settleReceipt, subjectOf } from './run.ts'
import { insertRun, type ReceiptRow, type RunRow } from './sql.ts'

/** Runs what every rule that matches asks for, in the transaction of the receipt. */
export async function beginRuns(inside: Context, receipt: ReceiptRow, waiting: Waiting): Promise<void> {
  const rules = await rulesFor(inside, receipt.provider, receipt.event_type)
  if (rules.length === 0) return
  const subject = subjectOf(receipt)
  for (const rule of rules) await beginRun(inside, subject, rule, waiting)
  await settleReceipt(inside, receipt.id)
}

export async function beginRun(
  inside: Context,
  subject: Subject,
  rule: StoredRule,
  waiting: Waiting,
): Promise<void> {
  const fresh: RunRow = {
    receipt_id: subject.event.receiptId,
    id: newId(),
    rule_id: rule.id,
    action: rule.action,
    status: 'PENDING',
    attempts: 0,
    error: null,
    next_at: null,
    created_at: now(inside),
    finished_at: null,
  }
  const run = await attempt(inside, fresh, subject, waiting.retrySeconds)
  await insertRun(inside.data, run)
  if (run.next_at !== null) waiting.note(inside.tenant)
}

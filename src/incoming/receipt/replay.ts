/** Runs the rules for a receipt once more, when somebody asks for it. */
import { type Context, now } from '../../context.ts'
import { inTransaction } from '../../transaction.ts'
import type { Waiting } from '../retry/waiting.ts'
import { rulesFor } from '../rule/rule.ts'
import { beginRun } from './begin.ts'
import { getReceipt, noSuchReceipt } from './log.ts'
import { settleReceipt, subjectOf } from './run.ts'
import type { ReceiptWithRuns, Replay } from './schema.ts'
import { findReceipt, lockReceipt, type RunRow, replaceRun, runsOfReceipt } from './sql.ts'

/**
 * The rules are those of now. What has succeeded is left as it is, unless `all` is asked for; what waits, is dead or
 * had no action begins anew, with the whole schedule.
 * @throws ServiceError `notFound`
 */
export function replayReceipt(
  context: Context,
  id: string,
  { all = false }: Replay,
  waiting: Waiting,
): Promise<ReceiptWithRuns> {
  return inTransaction(context, async (inside) => {
    // Whoever tries one of its runs again holds the receipt too: neither works on what the other has read.
    await lockReceipt(inside.data, id)
    const receipt = await findReceipt(inside.data, id)
    if (receipt === null) throw noSuchReceipt()
    const runs = await runsOfReceipt(inside.data, id)
    const rules = await rulesFor(inside, receipt.provider, receipt.event_type)
    const subject = subjectOf(receipt)
    for (const rule of rules) {
      const ofRule = runs.filter((run) => run.rule_id === rule.id)
      if (!all && ofRule.some(({ status }) => status === 'SUCCEEDED')) continue
      for (const run of ofRule) await supersede(inside, run)
      await beginRun(inside, subject, rule, waiting)
    }
    await settleReceipt(inside, id)
    return getReceipt(inside, id)
  })
}

async function supersede(inside: Context, run: RunRow): Promise<void> {
  if (run.status === 'SUCCEEDED' || run.status === 'REPLACED') return
  const finishedAt = run.finished_at ?? now(inside)
  await replaceRun(inside.data, { ...run, status: 'REPLACED', next_at: null, finished_at: finishedAt })
}

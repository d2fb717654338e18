/** Runs the rules for a receipt once more, when a user asks for it. */

import { type Context, now } from '../../../core/context.ts'
import { ServiceError } from '../../../core/errors.ts'
import { openAccount } from '../../../core/limits/caller-time.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { rulesFor } from '../rule/rule.ts'
import { startRuns } from '../run/begin.ts'
import { chargeRuns, settleReceipt, subjectOf } from '../run/run.ts'
import { deleteRuns, type RunPlace, runPlaces, supersedeRuns } from '../run/sql.ts'
import { getReceipt, maxRuns, noSuchReceipt } from './log.ts'
import type { ReceiptWithRuns, Replay } from './schema.ts'
import { findReceipt, lockReceipt } from './sql.ts'

/**
 * The present rules run. Runs that have succeeded stay, unless `all` is given. Runs that wait, are dead or had no
 * action begin again, with the whole schedule.
 * @throws ServiceError `notFound`; `invalid` while too many runs wait; `tooManyRequests` for a caller who has spent
 *   everything
 */
export function replayReceipt(
  context: Context,
  id: string,
  { all = false }: Replay,
  retrySeconds: readonly number[],
): Promise<ReceiptWithRuns> {
  return inTransaction(context, async (inside) => {
    // A retry locks the receipt too: neither works on rows that the other has read.
    await lockReceipt(inside.data, id)
    const receipt = await findReceipt(inside.data, id)
    if (receipt === null) throw noSuchReceipt()
    const runs = await runPlaces(inside.data, id)
    const matching = await rulesFor(inside, receipt.provider, receipt.event_type)
    const succeeded = newestSucceeded(runs)
    const rules = all ? matching : matching.filter((rule) => !succeeded.has(rule.id))
    // The reply has the body, and is stored for an Idempotency-Key: it is charged although nothing runs.
    chargeRuns(Math.max(1, rules.length), receipt.body.length, () => openAccount(context))
    if (rules.length > 0) {
      const subject = subjectOf(receipt)
      const ruleIds = rules.map((rule) => rule.id)
      await supersedeRuns(inside.data, id, { ruleIds, now: now(inside) })
      const kept = matching.flatMap((rule) => succeeded.get(rule.id) ?? [])
      await makeRoom(inside, id, { runs, ruleIds, kept })
      await startRuns(inside, subject, { rules, retrySeconds })
      await settleReceipt(inside, id)
    }
    return getReceipt(inside, id)
  })
}

/** By the rule. */
function newestSucceeded(runs: readonly RunPlace[]): ReadonlyMap<string, string> {
  return new Map(runs.flatMap(({ id, ruleId, status }) => (status === 'SUCCEEDED' ? [[ruleId, id]] : [])))
}

/**
 * Removes the oldest ended runs, so that a receipt never has more than `maxRuns`.
 * @param ruleIds of the rules that begin again: their earlier runs have ended
 * @param kept the runs that prove the success of a rule
 */
async function makeRoom(
  { data }: Context,
  receiptId: string,
  { runs, ruleIds, kept }: { runs: readonly RunPlace[]; ruleIds: readonly string[]; kept: readonly string[] },
): Promise<void> {
  const excess = runs.length + ruleIds.length - maxRuns
  if (excess <= 0) return
  const begun = new Set(ruleIds)
  const stays = new Set(kept)
  const ended = runs.filter((run) => (run.nextAt === null || begun.has(run.ruleId)) && !stays.has(run.id))
  const until = ended[excess - 1]?.id
  if (until === undefined)
    throw new ServiceError('invalid', 'Too many actions wait for this receipt. Try again when they have run.')
  await deleteRuns(data, receiptId, { until, except: kept })
}

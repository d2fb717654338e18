/** Runs the rules for a receipt again, at the request of a user. */

import { type Context, now } from '../../../core/context.ts'
import { refusal } from '../../../core/errors.ts'
import { openAccount } from '../../../core/limits/caller-time.ts'
import { withOwnerRights } from '../../../core/owner.ts'
import { mayReach } from '../../../core/ownership.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { rulesFor } from '../rule/rule.ts'
import { type ActionRunOptions, chargeRuns, toRunInput, updateReceiptStatus } from '../run/run.ts'
import { deleteRuns, type RunSummary, runSummaries, supersedeRuns } from '../run/sql.ts'
import { startRuns } from '../run/start.ts'
import { getReceipt, maxRuns, noSuchReceipt } from './log.ts'
import type { ReceiptWithRuns, Replay } from './schema.ts'
import { findReceipt, lockReceipt } from './sql.ts'

/**
 * Runs the current rules that the actor may change. A rule that has succeeded does not run again, unless `all` is
 * true. Pending, dead and unhandled runs begin again, with the whole retry schedule.
 * @throws ServiceError `notFound`; `invalid` while too many runs wait; `tooManyRequests` for a caller whose budget is
 *   spent
 */
export function replayReceipt(
  context: Context,
  id: string,
  { all = false }: Replay,
  retrySeconds: readonly number[],
): Promise<ReceiptWithRuns> {
  return withOwnerRights(context.shared, (rights) =>
    inTransaction(context, (inside) => replay(inside, id, { all, retrySeconds, rights })),
  )
}

async function replay(
  inside: Context,
  id: string,
  { all, ...options }: ActionRunOptions & { all: boolean },
): Promise<ReceiptWithRuns> {
  // A retry locks the receipt too, so that neither uses rows that the other is about to change.
  await lockReceipt(inside.data, id)
  const receipt = await findReceipt(inside.data, id)
  if (receipt === null) throw noSuchReceipt()
  const runs = await runSummaries(inside.data, id)
  const matching = await rulesFor(inside, receipt.provider, receipt.event_type)
  const succeeded = newestSucceeded(runs)
  const own = matching.filter(({ owner }) => mayReach(inside.actor, owner))
  const rules = all ? own : own.filter((rule) => !succeeded.has(rule.id))
  options.rights.require(rules.map(({ owner }) => ({ tenantId: inside.tenant.id, owner })))
  // Charged although nothing runs: the reply contains the body, and is stored for an Idempotency-Key.
  chargeRuns(Math.max(1, rules.length), receipt.body.length, () => openAccount(inside))
  if (rules.length > 0) {
    const input = toRunInput(receipt)
    const ruleIds = rules.map((rule) => rule.id)
    await supersedeRuns(inside.data, id, { ruleIds, now: now(inside) })
    const kept = matching.flatMap((rule) => succeeded.get(rule.id) ?? [])
    await removeOldRuns(inside, id, { runs, ruleIds, kept })
    await startRuns(inside, input, { ...options, rules })
    await updateReceiptStatus(inside, id)
  }
  return getReceipt(inside, id)
}

/** @returns the id of the newest succeeded run, by rule */
function newestSucceeded(runs: readonly RunSummary[]): ReadonlyMap<string, string> {
  return new Map(runs.flatMap(({ id, ruleId, status }) => (status === 'SUCCEEDED' ? [[ruleId, id]] : [])))
}

/**
 * Removes the oldest ended runs, so that a receipt never has more than `maxRuns`.
 * @param ruleIds the rules that run again: their earlier runs have ended
 * @param kept ids of runs that stay, because they prove the success of a rule
 */
async function removeOldRuns(
  { data }: Context,
  receiptId: string,
  {
    runs,
    ruleIds,
    kept,
  }: { runs: readonly RunSummary[]; ruleIds: readonly string[]; kept: readonly string[] },
): Promise<void> {
  const excess = runs.length + ruleIds.length - maxRuns
  if (excess <= 0) return
  const restarted = new Set(ruleIds)
  const keptIds = new Set(kept)
  const ended = runs.filter(
    (run) => (run.nextAt === null || restarted.has(run.ruleId)) && !keptIds.has(run.id),
  )
  const until = ended[excess - 1]?.id
  if (until === undefined) throw refusal('tooManyReplays')
  await deleteRuns(data, receiptId, { until, except: kept })
}

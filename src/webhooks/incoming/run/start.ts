import { type Context, now } from '../../../core/context.ts'
import { newId } from '../../../core/id.ts'
import type { CostAccount } from '../../../core/limits/cost-limiter.ts'
import { actionQueueName } from '../queue/action-queue.ts'
import type { ReceiptRow } from '../receipt/sql.ts'
import { rulesFor } from '../rule/rule.ts'
import type { StoredRule } from '../rule/schema.ts'
import { exceedsChainLimit } from './chain.ts'
import {
  type ActionRunOptions,
  attemptRun,
  chargeRuns,
  type RunInput,
  runsAtOnce,
  toRunInput,
  updateReceiptStatus,
} from './run.ts'
import { insertRun, insertRuns, type RunRow } from './sql.ts'

/**
 * Runs the action of every matching rule, in the transaction of the receipt.
 * @param open opens the account that is charged
 * @returns `false` when the chain of webhooks may run no more actions, and nothing was run
 */
export async function runMatchingRules(
  inside: Context,
  receipt: ReceiptRow,
  { open, ...options }: ActionRunOptions & { open: () => CostAccount },
): Promise<boolean> {
  const rules = await rulesFor(inside, receipt.provider, receipt.event_type)
  if (rules.length === 0) return true
  options.rights.require(rules.map(({ owner }) => ({ tenantId: inside.tenant.id, owner })))
  const input = toRunInput(receipt)
  if (await exceedsChainLimit(inside, input.origin, rules.length)) return false
  chargeRuns(rules.length, input.bytes, open)
  await startRuns(inside, input, { ...options, rules })
  await updateReceiptStatus(inside, receipt.id)
  return true
}

/**
 * Runs the first batch, in the order of the rules. Further runs are due at once, and are left to the queue.
 * @param options with the rights of the owners of all rules
 */
export async function startRuns(
  inside: Context,
  input: RunInput,
  { rules, ...options }: ActionRunOptions & { rules: readonly StoredRule[] },
): Promise<void> {
  const runs = rules.map((rule) => newRun(inside, input, rule))
  const atOnce = runsAtOnce(input.bytes)
  const later = runs.slice(atOnce).map((run) => ({ ...run, next_at: run.created_at }))
  const attempted: RunRow[] = []
  for (const run of runs.slice(0, atOnce)) {
    const outcome = await attemptRun(inside, run, input, options)
    await insertRun(inside.data, outcome)
    attempted.push(outcome)
  }
  await insertRuns(inside.data, later)
  noteDueRuns(inside, [...attempted, ...later])
}

function noteDueRuns(
  { shared, tenant, tenantDatabase, transaction }: Context,
  runs: readonly RunRow[],
): void {
  const moments = runs.flatMap(({ next_at }) => (next_at === null ? [] : [Date.parse(next_at)]))
  if (moments.length === 0) return
  const due = { queue: actionQueueName, key: tenant.id, dueMs: Math.min(...moments) }
  transaction?.afterCommit(() => shared.noteDue(tenant.id, tenantDatabase, due))
}

function newRun(inside: Context, { event, origin }: RunInput, { id, action, owner }: StoredRule): RunRow {
  return {
    receipt_id: event.receiptId,
    id: newId(),
    rule_id: id,
    action,
    owner,
    status: 'PENDING',
    attempts: 0,
    error: null,
    next_at: null,
    created_at: now(inside),
    finished_at: null,
    origin,
  }
}

/** Sends dead letters of a tenant again, for the operator: deliveries whose last attempt failed. */
import { recordTenantAudit } from '../../../core/audit/audit.ts'
import { type Context, now } from '../../../core/context.ts'
import { type DeadWorkRetry, type RetriedWork, retryGroups } from '../../../core/queue/dead-work.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { wakeAfterCommit } from '../log/replay.ts'
import { recoverDeliveries } from '../log/sql.ts'
import { formatQueueKey } from '../queue/key.ts'
import { countDeadOf, deadIds } from './sql.ts'

/** The most subscriptions of one request. */
const maxSubscriptions = 1000

/** Sends them subscription by subscription. @throws StatementTimedOut, DatabaseUnavailable */
export async function replayDeadLettersOf(context: Context, retry: DeadWorkRetry): Promise<RetriedWork> {
  const { until, actor } = retry
  const groups = await countDeadOf(context.data, maxSubscriptions)
  const subscriptions = groups.map((group) => group.subscription_id)
  return retryGroups(retry, subscriptions, async (subscriptionId, limit) => {
    const ids = await deadIds(context.data, { subscriptionId, until, limit })
    return ids.length === 0 ? 0 : replayBatch(context, ids, { subscriptionId, actor })
  })
}

function replayBatch(
  context: Context,
  ids: readonly string[],
  { subscriptionId, actor }: Pick<DeadWorkRetry, 'actor'> & { subscriptionId: string },
): Promise<number> {
  return inTransaction(context, async (inside) => {
    const { id: tenantId } = inside.tenant
    wakeAfterCommit(inside)
    const queue = formatQueueKey({ tenantId, subscriptionId, kind: 'first' })
    const deliveries = await recoverDeliveries(inside.data, ids, { queue, now: now(inside) })
    await recordTenantAudit(inside, {
      action: 'deadLetters.replayed',
      tenantId,
      subjectType: 'subscription',
      subjectId: subscriptionId,
      detail: { deliveries },
      actor,
    })
    return deliveries
  })
}

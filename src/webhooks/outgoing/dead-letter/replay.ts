/** Sends dead letters of a tenant again, for the operator. */
import { recordTenantAudit } from '../../../core/audit/audit.ts'
import { type Context, now } from '../../../core/context.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { wakeAfterCommit } from '../log/replay.ts'
import { recoverDeliveries } from '../log/sql.ts'
import { formatQueueKey } from '../queue/key.ts'
import { countDeadOf, deadIds } from './sql.ts'

/** Per transaction, so that others can write in between. */
const perTransaction = 500
const maxSubscriptions = 1000

export interface TenantReplay {
  /** All if absent. */
  subscriptionId?: string
  /** What died later is not sent again: a replay ends. */
  until: string
  /** How many at most. */
  limit: number
  /** By `performance.now()`: no transaction begins later. */
  endMs: number
  /** Whom the audit of the tenant names. */
  actor: { id: string; userName: string }
}

/** @returns `isDone`: none is left @throws StatementTimedOut, DatabaseUnavailable */
export async function replayDeadLettersOf(
  context: Context,
  replay: TenantReplay,
): Promise<{ deliveries: number; isDone: boolean }> {
  let deliveries = 0
  for (const subscriptionId of await subscriptionsOf(context, replay)) {
    for (;;) {
      const limit = Math.min(perTransaction, replay.limit - deliveries)
      if (limit <= 0 || performance.now() > replay.endMs) return { deliveries, isDone: false }
      const ids = await deadIds(context.data, { subscriptionId, until: replay.until, limit })
      if (ids.length === 0) break
      deliveries += await replayBatch(context, ids, { subscriptionId, actor: replay.actor })
    }
  }
  return { deliveries, isDone: true }
}

async function subscriptionsOf(context: Context, { subscriptionId }: TenantReplay): Promise<string[]> {
  const groups = await countDeadOf(context.data, maxSubscriptions)
  const all = groups.map((group) => group.subscription_id)
  return subscriptionId === undefined ? all : all.filter((id) => id === subscriptionId)
}

function replayBatch(
  context: Context,
  ids: readonly string[],
  { subscriptionId, actor }: Required<Pick<TenantReplay, 'subscriptionId' | 'actor'>>,
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

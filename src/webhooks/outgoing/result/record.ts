/** Records results, many in one transaction: attempts, next states of deliveries, and the health of subscriptions. */
import type { Shared } from '../../../core/context.ts'
import { serviceContext } from '../../../core/create-context.ts'
import { publish } from '../../../core/events/publish.ts'
import type { NextDue } from '../../../core/queue/leased-work.ts'
import { QueueData } from '../../../database/data.ts'
import type { Database, Transaction } from '../../../database/executor.ts'
import { subscriptionKey } from '../queue/key.ts'
import { type Health, healthAction, healthAfter } from './health.ts'
import {
  deactivateSubscription,
  insertAttempts,
  lockHealth,
  type SubscriptionHealth,
  updateDeliveries,
  writeHealth,
} from './sql.ts'
import { attemptRow, type DeliveryResult, isGone, stateAfter } from './state.ts'

/** Writes the state of each delivery only if the lease is still held. @throws DatabaseUnavailable */
export function recordResults(
  shared: Shared,
  database: Database,
  results: readonly DeliveryResult[],
  retrySeconds: readonly number[],
): Promise<NextDue[]> {
  const states = results.map((result) => stateAfter(result, retrySeconds))
  return database.transaction(async (transaction) => {
    const queue = new QueueData(transaction)
    // Locks subscriptions before deliveries, as a change of a subscription does.
    const health = await recordHealth(queue, results)
    await updateDeliveries(queue, states)
    await insertAttempts(queue, results.map(attemptRow))
    for (const each of health) await applyHealth(shared, { database, transaction, queue }, each, results)
    return states.map(({ queue: key, nextAt }) => ({ key, nextAt }))
  })
}

async function recordHealth(
  queue: QueueData,
  results: readonly DeliveryResult[],
): Promise<SubscriptionHealth[]> {
  const bySubscription = Map.groupBy(results, keyOf)
  const keys = [...bySubscription.values()].flatMap(([first]) =>
    first === undefined ? [] : [{ tenantId: first.work.tenantId, id: first.work.subscriptionId }],
  )
  const now = new Date(Math.max(...results.map(({ endedAt }) => endedAt.getTime()))).toISOString()
  const before = await lockHealth(queue, keys)
  const after = before.map((health) => {
    const next = (bySubscription.get(subscriptionKey(health.tenantId, health.id)) ?? []).reduce<Health>(
      (sum, { outcome, endedAt }) =>
        healthAfter(sum, { hasSucceeded: outcome.outcome === 'success', at: endedAt.toISOString() }),
      health,
    )
    const warnedAt = healthAction(next, now) === 'warn' ? now : next.warnedAt
    return { ...health, ...next, warnedAt }
  })
  await writeHealth(queue, after)
  return after
}

function keyOf({ work: { tenantId, subscriptionId } }: DeliveryResult): string {
  return subscriptionKey(tenantId, subscriptionId)
}

interface OpenTransaction {
  database: Database
  transaction: Transaction
  queue: QueueData
}

/** Warns about the subscription, or deactivates it, and publishes the event. */
async function applyHealth(
  shared: Shared,
  { database, transaction, queue }: OpenTransaction,
  health: SubscriptionHealth,
  results: readonly DeliveryResult[],
): Promise<void> {
  const { tenantId, id, failingSince } = health
  // Paths and queries of receivers are often secrets, and the subscriptions of all administrators may get this event.
  const url = new URL(health.url).origin
  const own = results.filter((result) => keyOf(result) === subscriptionKey(tenantId, id))
  const now = own.at(-1)?.endedAt.toISOString() ?? shared.clock().toISOString()
  const context = () => serviceContext(shared, database, transaction)
  const reason = own.some(isGone) ? 'gone' : healthAction(health, now) === 'deactivate' ? 'failing' : null
  if (reason !== null) {
    const wasActive = await deactivateSubscription(queue, { tenantId, id, reason, now })
    if (!wasActive) return
    await publish(
      context(),
      'webhook.deactivated',
      { subscriptionId: id, url, reason, failingSince },
      tenantId,
    )
    // `recordHealth` has set `warnedAt` in this transaction: the warning is new.
  } else if (health.warnedAt === now && failingSince !== null) {
    await publish(context(), 'webhook.failing', { subscriptionId: id, url, failingSince }, tenantId)
  }
}

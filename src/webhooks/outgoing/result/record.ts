/** Records results, many in one transaction: attempts, next states of deliveries, and the health of subscriptions. */
import type { Shared } from '../../../core/context.ts'
import { serviceContext } from '../../../core/create-context.ts'
import { publish } from '../../../core/events/publish.ts'
import type { NextDue } from '../../../core/queue/leased-work.ts'
import { QueueData } from '../../../database/data.ts'
import type { Database, Transaction } from '../../../database/executor.ts'
import { subscriptionKey } from '../queue/key.ts'
import { type Health, type HealthAction, healthAction, healthAfter } from './health.ts'
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
    const changes = await recordHealth(queue, results)
    await updateDeliveries(queue, states)
    await insertAttempts(queue, results.map(attemptRow))
    for (const change of changes) await applyHealth(shared, { database, transaction, queue }, change)
    return states.map(({ queue: key, nextAt }) => ({ key, nextAt }))
  })
}

interface HealthChange {
  health: SubscriptionHealth
  action: HealthAction
  /** Whether the receiver refuses all further deliveries. */
  isGone: boolean
  /** The end of the last of these attempts of the subscription, in ISO 8601. */
  at: string
}

async function recordHealth(queue: QueueData, results: readonly DeliveryResult[]): Promise<HealthChange[]> {
  const bySubscription = Map.groupBy(results, keyOf)
  const keys = [...bySubscription.values()].flatMap(([first]) =>
    first === undefined ? [] : [{ tenantId: first.work.tenantId, id: first.work.subscriptionId }],
  )
  const before = await lockHealth(queue, keys)
  const changes = before.map((health) =>
    changeOf(health, bySubscription.get(subscriptionKey(health.tenantId, health.id)) ?? []),
  )
  await writeHealth(
    queue,
    changes.map(({ health }) => health),
  )
  return changes
}

/** @param own the results of the subscription */
function changeOf(before: SubscriptionHealth, own: readonly DeliveryResult[]): HealthChange {
  const at = new Date(Math.max(...own.map(({ endedAt }) => endedAt.getTime()))).toISOString()
  const next = own.reduce<Health>(
    (sum, { outcome, endedAt }) =>
      healthAfter(sum, { hasSucceeded: outcome.outcome === 'success', at: endedAt.toISOString() }),
    before,
  )
  const action = healthAction(next, at)
  const warnedAt = action === 'warn' ? at : next.warnedAt
  return { health: { ...before, ...next, warnedAt }, action, isGone: own.some(isGone), at }
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
  { health, action, isGone: isReceiverGone, at }: HealthChange,
): Promise<void> {
  const { tenantId, id, failingSince } = health
  // Paths and queries of receivers are often secrets, and the subscriptions of all administrators may get this event.
  const url = new URL(health.url).origin
  const context = () => serviceContext(shared, database, transaction)
  const reason = isReceiverGone ? 'gone' : action === 'deactivate' ? 'failing' : null
  if (reason !== null) {
    const wasActive = await deactivateSubscription(queue, { tenantId, id, reason, now: at })
    if (!wasActive) return
    await publish(
      context(),
      'webhook.deactivated',
      { subscriptionId: id, url, reason, failingSince },
      tenantId,
    )
  } else if (action === 'warn' && failingSince !== null) {
    await publish(context(), 'webhook.failing', { subscriptionId: id, url, failingSince }, tenantId)
  }
}

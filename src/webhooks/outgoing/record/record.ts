/** Writes down what attempts have come to: many of them in one transaction, with the health of their subscriptions. */
import type { Shared } from '../../../core/context.ts'
import { serviceContext } from '../../../core/create-context.ts'
import { publish } from '../../../core/events/publish.ts'
import { QueueData } from '../../../database/data.ts'
import type { Database, Transaction } from '../../../database/executor.ts'
import { subscriptionKey } from '../queue/lane.ts'
import { type Health, healthAfter, judge } from './health.ts'
import { attemptOf, isGone, type Result, stateAfter } from './result.ts'
import {
  type DeliveryState,
  deactivateSubscription,
  insertAttempts,
  lockHealth,
  moveDeliveriesOn,
  type SubscriptionHealth,
  writeHealth,
} from './sql.ts'

/** @returns the state of each delivery, as it is now unless its lease was lost @throws DatabaseUnavailable */
export function recordResults(
  shared: Shared,
  database: Database,
  results: readonly Result[],
): Promise<DeliveryState[]> {
  const states = results.map(stateAfter)
  return database.transaction(async (transaction) => {
    const queue = new QueueData(transaction)
    // Subscriptions before deliveries: whoever changes a subscription locks in the same order.
    const health = await recordHealth(queue, results)
    await moveDeliveriesOn(queue, states)
    await insertAttempts(queue, results.map(attemptOf))
    for (const each of health) await draw(shared, { database, transaction, queue }, each, results)
    return states
  })
}

async function recordHealth(queue: QueueData, results: readonly Result[]): Promise<SubscriptionHealth[]> {
  const bySubscription = Map.groupBy(results, keyOf)
  const keys = [...bySubscription.values()].flatMap(([first]) =>
    first === undefined ? [] : [{ tenantId: first.delivery.tenantId, id: first.delivery.subscriptionId }],
  )
  const now = new Date(Math.max(...results.map(({ endedAt }) => endedAt.getTime()))).toISOString()
  const before = await lockHealth(queue, keys)
  const after = before.map((health) => {
    const next = (bySubscription.get(subscriptionKey(health.tenantId, health.id)) ?? []).reduce<Health>(
      (sum, { exchange, endedAt }) =>
        healthAfter(sum, { succeeded: exchange.outcome === 'success', at: endedAt.toISOString() }),
      health,
    )
    const warnedAt = judge(next, now) === 'warn' ? now : next.warnedAt
    return { ...health, ...next, warnedAt }
  })
  await writeHealth(queue, after)
  return after
}

function keyOf({ delivery: { tenantId, subscriptionId } }: Result): string {
  return subscriptionKey(tenantId, subscriptionId)
}

interface Inside {
  database: Database
  transaction: Transaction
  queue: QueueData
}

/** Draws the consequences: a warning, or the end of the subscription, each with its event. */
async function draw(
  shared: Shared,
  { database, transaction, queue }: Inside,
  health: SubscriptionHealth,
  results: readonly Result[],
): Promise<void> {
  const { tenantId, id, failingSince } = health
  // Paths and queries of receivers are often secrets, and every subscriber of the tenant may get this event.
  const url = new URL(health.url).origin
  const own = results.filter((result) => keyOf(result) === subscriptionKey(tenantId, id))
  const now = own.at(-1)?.endedAt.toISOString() ?? shared.clock().toISOString()
  const context = () => serviceContext(shared, database, transaction)
  const reason = own.some(isGone) ? 'gone' : judge(health, now) === 'deactivate' ? 'failing' : null
  if (reason !== null) {
    const wasActive = await deactivateSubscription(queue, { tenantId, id, reason, now })
    if (wasActive) {
      await publish(
        context(),
        'webhook.deactivated',
        { subscriptionId: id, url, reason, failingSince },
        tenantId,
      )
    }
  } else if (health.warnedAt === now && failingSince !== null) {
    await publish(context(), 'webhook.failing', { subscriptionId: id, url, failingSince }, tenantId)
  }
}

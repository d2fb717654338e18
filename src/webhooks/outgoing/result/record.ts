/** Records results, many in one transaction: attempts, next states of deliveries, and the health of subscriptions. */
import type { Shared } from '../../../core/context.ts'
import { serviceContext } from '../../../core/create-context.ts'
import { publish } from '../../../core/events/publish.ts'
import { Recorder } from '../../../core/queue/recorder.ts'
import { QueueData } from '../../../database/data.ts'
import type { Database, Transaction } from '../../../database/executor.ts'
import { subscriptionKey } from '../queue/key.ts'
import { type Health, healthAction, healthAfter } from './health.ts'
import {
  type DeliveryState,
  deactivateSubscription,
  insertAttempts,
  lockHealth,
  type SubscriptionHealth,
  updateDeliveries,
  writeHealth,
} from './sql.ts'
import { attemptRow, type DeliveryResult, isGone, stateAfter } from './state.ts'

/** Records results of deliveries in one database. @param signal after its abort, an unavailable one is not retried */
export function createRecorder(
  shared: Shared,
  database: Database,
  signal: AbortSignal,
): Recorder<DeliveryResult, DeliveryState> {
  return new Recorder({
    ...{ database, signal, log: shared.log },
    write: (results) => recordResults(shared, database, results),
    describe: ({ delivery }) => ({ delivery: delivery.id }),
  })
}

/** @returns the state of each delivery, which is written only if the lease is still held @throws DatabaseUnavailable */
function recordResults(
  shared: Shared,
  database: Database,
  results: readonly DeliveryResult[],
): Promise<DeliveryState[]> {
  const states = results.map(stateAfter)
  return database.transaction(async (transaction) => {
    const queue = new QueueData(transaction)
    // Locks subscriptions before deliveries, as a change of a subscription does.
    const health = await recordHealth(queue, results)
    await updateDeliveries(queue, states)
    await insertAttempts(queue, results.map(attemptRow))
    for (const each of health) await applyHealth(shared, { database, transaction, queue }, each, results)
    return states
  })
}

async function recordHealth(
  queue: QueueData,
  results: readonly DeliveryResult[],
): Promise<SubscriptionHealth[]> {
  const bySubscription = Map.groupBy(results, keyOf)
  const keys = [...bySubscription.values()].flatMap(([first]) =>
    first === undefined ? [] : [{ tenantId: first.delivery.tenantId, id: first.delivery.subscriptionId }],
  )
  const now = new Date(Math.max(...results.map(({ endedAt }) => endedAt.getTime()))).toISOString()
  const before = await lockHealth(queue, keys)
  const after = before.map((health) => {
    const next = (bySubscription.get(subscriptionKey(health.tenantId, health.id)) ?? []).reduce<Health>(
      (sum, { attempt, endedAt }) =>
        healthAfter(sum, { hasSucceeded: attempt.outcome === 'success', at: endedAt.toISOString() }),
      health,
    )
    const warnedAt = healthAction(next, now) === 'warn' ? now : next.warnedAt
    return { ...health, ...next, warnedAt }
  })
  await writeHealth(queue, after)
  return after
}

function keyOf({ delivery: { tenantId, subscriptionId } }: DeliveryResult): string {
  return subscriptionKey(tenantId, subscriptionId)
}

interface Inside {
  database: Database
  transaction: Transaction
  queue: QueueData
}

/** Warns about the subscription, or deactivates it, and publishes the event. */
async function applyHealth(
  shared: Shared,
  { database, transaction, queue }: Inside,
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
  } else if (health.warnedAt === now && failingSince !== null) {
    await publish(context(), 'webhook.failing', { subscriptionId: id, url, failingSince }, tenantId)
  }
}

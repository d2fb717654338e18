/** Deactivates subscriptions whose owner is gone, or may see none of their events any more. */
import type { Shared } from '../../../../core/context.ts'
import { serviceContext } from '../../../../core/create-context.ts'
import { publish } from '../../../../core/events/publish.ts'
import { retryLogLevel } from '../../../../core/tenant/unavailable-database.ts'
import { QueueData } from '../../../../database/data.ts'
import type { Database } from '../../../../database/executor.ts'
import { type AccessParts, type OwnedSubscription, verdictFor } from '../../../subscriptions/access.ts'
import { subscriptionKey } from '../key.ts'
import { deactivateOf, type LostSubscription } from './sql.ts'

interface Subscriber extends OwnedSubscription {
  id: string
  /** JSON list of patterns. */
  events: string
  isActive: boolean
}

/** Collects, during one claim, the subscriptions whose owner is gone or sees none of their events any more. */
export class LostOwners {
  readonly #parts: AccessParts
  /** The result by tenant and subscription; `null` for a subscription whose owner still sees some of its events. */
  readonly #known = new Map<string, LostSubscription | null>()

  constructor(parts: AccessParts) {
    this.#parts = parts
  }

  /** @param verdict on an event that the subscription names */
  note(subscriber: Subscriber, verdict: ReturnType<typeof verdictFor>): void {
    const { tenantId, id, owner, isActive } = subscriber
    if (owner === null || !isActive || verdict === 'allowed' || verdict === 'byRow') return
    const key = subscriptionKey(tenantId, id)
    if (this.#known.has(key)) return
    const isLost = verdict === 'gone' || this.#seesNothing(subscriber)
    const reason = verdict === 'gone' ? 'ownerGone' : 'forbidden'
    this.#known.set(key, isLost ? { tenantId, id, owner, reason } : null)
  }

  list(): LostSubscription[] {
    return [...this.#known.values()].filter((each) => each !== null)
  }

  /** A pattern that is no declared event may match events of the application, which every user may see. */
  #seesNothing(subscriber: Subscriber): boolean {
    const patterns = JSON.parse(subscriber.events) as string[] // stored as a list of patterns
    return patterns.every(
      (pattern) =>
        this.#parts.eventTypes.has(pattern) && verdictFor(pattern, subscriber, this.#parts) === 'forbidden',
    )
  }
}

/**
 * Deactivates each subscription in a transaction of its own: subscriptions must be locked before deliveries, and the
 * claim has locked deliveries already. If the call is interrupted, the next event finds the subscription again.
 */
export async function deactivateLost(shared: Shared, database: Database, lost: LostOwners): Promise<void> {
  for (const subscription of lost.list()) {
    try {
      await deactivate(shared, database, subscription)
    } catch (error) {
      // A failure must not prevent that the claimed deliveries are sent.
      const detail = { err: error, tenantId: subscription.tenantId, subscription: subscription.id }
      shared.log[retryLogLevel(error)](detail, 'subscription not deactivated')
    }
  }
}

function deactivate(shared: Shared, database: Database, lost: LostSubscription): Promise<void> {
  const { tenantId, id, reason } = lost
  return database.transaction(async (transaction) => {
    const now = shared.clock().toISOString()
    const found = await deactivateOf(new QueueData(transaction), { ...lost, now })
    if (found === null) return
    // Paths and queries of receivers are often secrets.
    const url = new URL(found.url).origin
    const payload = { subscriptionId: id, url, reason, failingSince: found.failingSince }
    await publish(serviceContext(shared, database, transaction), 'webhook.deactivated', payload, tenantId)
  })
}

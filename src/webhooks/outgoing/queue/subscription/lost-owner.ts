/** Deactivates subscriptions whose owner is gone, or may see none of their events any more. */
import type { Shared } from '../../../../core/context.ts'
import { serviceContext } from '../../../../core/create-context.ts'
import { publish } from '../../../../core/events/publish.ts'
import { retryLogLevel } from '../../../../core/tenant/unavailable-database.ts'
import { QueueData } from '../../../../database/data.ts'
import type { Database } from '../../../../database/executor.ts'
import { type AccessParts, type OwnedSubscription, verdictFor } from '../../../subscriptions/access.ts'
import { deactivateOf, type LostSubscription } from './sql.ts'

interface Watched extends OwnedSubscription {
  id: string
  /** JSON list of patterns. */
  events: string
  isActive: boolean
}

/** Collects the subscriptions of one piece of work whose owners see none of their events any more. */
export class LostOwners {
  readonly #parts: AccessParts
  /** What was found, by tenant and subscription; `null` for a subscription whose owner still sees something. */
  readonly #known = new Map<string, LostSubscription | null>()

  constructor(parts: AccessParts) {
    this.#parts = parts
  }

  /** @param verdict on an event that the subscription names */
  note(subscriber: Watched, verdict: ReturnType<typeof verdictFor>): void {
    const { tenantId, id, owner, isActive } = subscriber
    if (owner === null || !isActive || verdict === 'allowed' || verdict === 'byRow') return
    const key = `${tenantId}/${id}`
    if (this.#known.has(key)) return
    const isLost = verdict === 'gone' || this.#seesNothing(subscriber)
    const reason = verdict === 'gone' ? 'ownerGone' : 'forbidden'
    this.#known.set(key, isLost ? { tenantId, id, owner, reason } : null)
  }

  list(): LostSubscription[] {
    return [...this.#known.values()].filter((each) => each !== null)
  }

  /** An event of an application, which no catalogue has, is for every user, and may match any `order.*`. */
  #seesNothing(subscriber: Watched): boolean {
    const patterns = JSON.parse(subscriber.events) as string[] // stored as a list of patterns
    return patterns.every(
      (pattern) =>
        this.#parts.eventTypes.has(pattern) && verdictFor(pattern, subscriber, this.#parts) === 'forbidden',
    )
  }
}

/**
 * In transactions of their own: a subscription is locked before its deliveries, which were claimed already. What an
 * interrupted call leaves is found with the next event.
 */
export async function deactivateLost(shared: Shared, database: Database, lost: LostOwners): Promise<void> {
  for (const subscription of lost.list()) {
    try {
      await deactivate(shared, database, subscription)
    } catch (error) {
      // The deliveries that were claimed are to be sent in any case.
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

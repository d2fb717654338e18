/** Claims due deliveries, and ends those whose subscription was deleted or deactivated. */

import { newId } from '../../../core/id.ts'
import { QueueData } from '../../../database/data.ts'
import type { Database, Dialect } from '../../../database/executor.ts'
import { type AccessParts, verdictFor } from '../../subscriptions/access.ts'
import type { TargetRow } from '../../subscriptions/target.ts'
import { dispatchEvents, nothingDispatched } from '../outbox/dispatch.ts'
import { parseQueueKey, subscriptionKey } from './key.ts'
import { acquirePermits, type DeliveryLimiter, type KeyPermits } from './limiter.ts'
import {
  type DueDelivery,
  type DueWithoutData,
  dueDeliveries,
  leaseDeliveries,
  nextDueOfKeys,
} from './sql.ts'
import { endDeliveries, endDueDeliveries, lockSubscriptions, subscriptionsOf } from './subscription/sql.ts'

/** Per transaction: enough to be worth a commit, and few enough that none waits long for the others. */
const maxClaimed = 256
/** Per transaction, of all keys. On SQLite other writers wait for it. */
export const maxEnded: Record<Dialect, number> = { sqlite: 100, postgres: 2000 }

export interface Claim {
  /** Tenants with events that are not dispatched yet. */
  tenantIds: readonly string[]
  /** Inactive tenants among them, whose deliveries have to wait. */
  inactive: ReadonlySet<string>
  /** Queue keys that this instance believes to be due. */
  keys: readonly string[]
  limiter: DeliveryLimiter
  /** Whether subscriptions still get their events. */
  access: AccessParts
  now: Date
  leaseMs: number
}

export interface ClaimedBatch {
  lease: string
  /** In the order of their due times. Each holds a permit, and permits for its bytes. */
  deliveries: DueDelivery[]
  /** By `subscriptionKey`. */
  subscriptions: Map<string, TargetRow>
  /** When each key that was read is due next, in milliseconds of Unix time; `null` for a key without deliveries. */
  nextDue: Map<string, number | null>
  /** Whether further events may be waiting. */
  isMore: boolean
}

/** Dispatches events and claims deliveries in one transaction, so that an event costs one commit before it is sent. */
export async function claimBatch(database: Database, claim: Claim): Promise<ClaimedBatch> {
  const { tenantIds, inactive, limiter, access, leaseMs } = claim
  const now = claim.now.toISOString()
  const lease = { lease: newId(), until: new Date(claim.now.getTime() + leaseMs).toISOString() }
  let permits: KeyPermits[] = []
  let due: DueWithoutData[] = []
  try {
    const batch = await database.transaction(async (transaction) => {
      const queue = new QueueData(transaction)
      const dispatched =
        tenantIds.length === 0
          ? nothingDispatched
          : await dispatchEvents(queue, tenantIds, { ...access, now })
      const keys = [...new Set([...claim.keys, ...dispatched.keys])].filter(
        (key) => !inactive.has(parseQueueKey(key).tenantId),
      )
      permits = acquirePermits(keys, limiter, maxClaimed)
      const { deliverable, subscriptions, waiting } = await filterBySubscription(queue, permits, {
        access,
        now,
      })
      const found = await keepForbidden(queue, await dueDeliveries(queue, deliverable, now), {
        ...{ access, subscriptions, now },
      })
      due = found.filter(({ key, bytes }) => limiter.acquireBytes(parseQueueKey(key), bytes))
      const deliveries = await leaseDeliveries(queue, due, lease)
      const next = await nextDueOfKeys(queue, keys)
      const nextDue = new Map(
        next.map(({ key, dueAt }) => [key, dueAt === null || waiting.has(key) ? null : Date.parse(dueAt)]),
      )
      return { lease: lease.lease, deliveries, subscriptions, nextDue, isMore: dispatched.isMore }
    })
    releaseUnused(limiter, permits, batch.deliveries)
    return batch
  } catch (error) {
    releaseUnused(limiter, permits, [])
    for (const { key, bytes } of due) limiter.releaseBytes(parseQueueKey(key), bytes)
    throw error
  }
}

/** Deliveries to a paused subscription wait. Deliveries to one that is deleted, deactivated or without an owner end. */
async function filterBySubscription(
  queue: QueueData,
  permits: readonly KeyPermits[],
  { access, now }: { access: AccessParts; now: string },
) {
  const subscriptions = await readSubscriptions(queue, permits, access)
  const deliverable: KeyPermits[] = []
  const waiting = new Set<string>()
  let max = maxEnded[queue.executor.dialect]
  for (const each of permits) {
    const { tenantId, subscriptionId, kind } = parseQueueKey(each.key)
    const subscription = subscriptions.get(subscriptionKey(tenantId, subscriptionId))
    if (subscription === undefined) {
      const ending = { status: 'DEAD', reason: 'subscriptionDeleted', now, max } as const
      max -= await endDueDeliveries(queue, each.key, ending)
    } else if (kind === 'test') {
      deliverable.push(each)
    } else if (isOwnerGone(subscription, access)) {
      max -= await endDueDeliveries(queue, each.key, { status: 'KEPT', reason: 'ownerGone', now, max })
    } else if (subscription.is_active) {
      deliverable.push(each)
    } else if (subscription.deactivated_at !== null) {
      max -= await endDueDeliveries(queue, each.key, { status: 'KEPT', reason: 'deactivated', now, max })
    } else {
      waiting.add(each.key)
    }
  }
  return { deliverable, subscriptions, waiting }
}

/** The owner may have lost the right to see an event since it happened. @returns the deliveries that are to be sent */
async function keepForbidden(
  queue: QueueData,
  due: readonly DueWithoutData[],
  parts: { access: AccessParts; subscriptions: ReadonlyMap<string, TargetRow>; now: string },
): Promise<DueWithoutData[]> {
  const { access, subscriptions, now } = parts
  const isForbidden = ({ tenantId, subscriptionId, eventType, key }: DueWithoutData): boolean => {
    const target = subscriptions.get(subscriptionKey(tenantId, subscriptionId))
    if (target === undefined || parseQueueKey(key).kind === 'test') return false
    return verdictFor(eventType, ownedBy(target), access) !== 'allowed'
  }
  const forbidden = due.filter(isForbidden)
  if (forbidden.length === 0) return [...due]
  await endDeliveries(queue, forbidden, { status: 'KEPT', reason: 'forbidden', now })
  return due.filter((each) => !forbidden.includes(each))
}

/** Subscriptions whose deliveries are to end are locked and read again: a user may be reactivating them. */
async function readSubscriptions(queue: QueueData, permits: readonly KeyPermits[], access: AccessParts) {
  const keys = new Map(
    permits.map(({ key }) => {
      const { tenantId, subscriptionId } = parseQueueKey(key)
      return [subscriptionKey(tenantId, subscriptionId), { tenantId, id: subscriptionId }]
    }),
  )
  const rows = keys.size === 0 ? [] : await subscriptionsOf(queue, [...keys.values()])
  access.rights.require(rows.map(ownedBy))
  const subscriptions = new Map(rows.map((row) => [keyOf(row), row]))
  const ending = rows.filter(
    (row) => (!row.is_active && row.deactivated_at !== null) || isOwnerGone(row, access),
  )
  if (ending.length === 0) return subscriptions
  for (const row of ending) subscriptions.delete(keyOf(row))
  const locked = await lockSubscriptions(
    queue,
    ending.map((row) => ({ tenantId: row.tenant_id, id: row.id })),
  )
  access.rights.require(locked.map(ownedBy))
  for (const row of locked) subscriptions.set(keyOf(row), row)
  return subscriptions
}

function isOwnerGone(row: TargetRow, { rights }: AccessParts): boolean {
  return rights.of(ownedBy(row)) === null
}

function ownedBy({ tenant_id: tenantId, owner, access }: TargetRow) {
  return { tenantId, owner, access }
}

function keyOf({ tenant_id, id }: TargetRow): string {
  return subscriptionKey(tenant_id, id)
}

function releaseUnused(
  limiter: DeliveryLimiter,
  acquired: readonly KeyPermits[],
  deliveries: readonly DueDelivery[],
): void {
  const claimed = Map.groupBy(deliveries, ({ key }) => key)
  for (const { key, permits } of acquired) {
    const unused = permits - (claimed.get(key)?.length ?? 0)
    if (unused > 0) limiter.release(parseQueueKey(key), unused)
  }
}

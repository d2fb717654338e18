/**
 * Claims due deliveries under a lease. Deliveries that must not be sent are ended instead: dead if their subscription
 * was deleted, otherwise kept, which means that they wait until a user recovers them.
 */

import { claimInTransaction } from '../../../core/queue/claim.ts'
import { tenantOf } from '../../../core/queue/due-key.ts'
import type { Claim, Claimed } from '../../../core/queue/leased-work.ts'
import type { KeyPermits } from '../../../core/queue/permits.ts'
import { QueueData } from '../../../database/data.ts'
import type { Database, Dialect } from '../../../database/executor.ts'
import { type AccessParts, verdictFor } from '../../subscriptions/access.ts'
import { decideByRow, type RowQuestion } from '../../subscriptions/row-access.ts'
import type { TargetRow } from '../../subscriptions/target.ts'
import { dispatchEvents, nothingDispatched, tenantsPerPass } from '../outbox/dispatch.ts'
import { statesOf } from '../outbox/sql.ts'
import { parseQueueKey, subscriptionKey } from './key.ts'
import type { DeliveryLimiter } from './limiter.ts'
import {
  type DueDelivery,
  type DueWithoutData,
  dueDeliveries,
  leaseDeliveries,
  nextDueOfKeys,
} from './sql.ts'
import type { LostOwners } from './subscription/lost-owner.ts'
import { endDeliveries, endDueDeliveries, lockSubscriptions, subscriptionsOf } from './subscription/sql.ts'

/** The most ended deliveries of all keys in a transaction. On SQLite, other writers wait for the transaction. */
export const maxEnded: Record<Dialect, number> = { sqlite: 100, postgres: 2000 }

export interface DeliveryClaim extends Claim {
  /** Inactive tenants among `tenantIds`, whose deliveries have to wait. */
  inactive: ReadonlySet<string>
  limiter: DeliveryLimiter
  /** Decides whether the owner of a subscription may still see an event. */
  access: AccessParts
  /** Collects subscriptions whose owner is gone or sees none of their events, to be deactivated. */
  lost: LostOwners
}

/** A claimed delivery with its subscription. It holds permits of the limiter, for one delivery and for its bytes. */
export interface ClaimedDelivery extends DueDelivery {
  target: TargetRow
}

/**
 * Dispatches events and claims deliveries in one transaction, so that an event costs one commit before it is sent.
 * @returns deliveries in the order of their due times
 */
export async function claimDeliveries(
  database: Database,
  { tenantIds, inactive, limiter, access, lost, now, ...claim }: DeliveryClaim,
): Promise<Claimed<ClaimedDelivery>> {
  let due: readonly DueWithoutData[] = []
  try {
    return await claimInTransaction(database, limiter, async (transaction, acquire) => {
      const queue = new QueueData(transaction)
      const dispatched =
        tenantIds.length === 0
          ? nothingDispatched
          : await dispatchEvents(queue, tenantIds, { ...access, lost, now })
      const keys = [...new Set([...claim.keys, ...dispatched.keys])].filter(
        (key) => !inactive.has(tenantOf(key)),
      )
      const { deliverable, subscriptions, waiting } = await filterBySubscription(queue, acquire(keys), {
        access,
        lost,
        now,
      })
      const read = await dueDeliveries(queue, deliverable, now)
      const found = await keepForbidden(queue, read, { access, lost, subscriptions, now })
      due = found.filter(({ key, bytes }) => limiter.acquireBytes(key, bytes))
      const leased = await leaseDeliveries(queue, due, claim)
      const next = await nextDueOfKeys(queue, keys)
      return {
        work: leased.map((delivery) => ({ ...delivery, target: targetOf(delivery, subscriptions) })),
        nextDue: next.map(({ key, dueAt }) => ({ key, dueAt: waiting.has(key) ? null : dueAt })),
        isMore: dispatched.isMore || tenantIds.length >= tenantsPerPass,
      }
    })
  } catch (error) {
    for (const { key, bytes } of due) limiter.releaseBytes(key, bytes)
    throw error
  }
}

function targetOf(
  { tenantId, subscriptionId }: DueDelivery,
  subscriptions: ReadonlyMap<string, TargetRow>,
): TargetRow {
  const target = subscriptions.get(subscriptionKey(tenantId, subscriptionId))
  if (target === undefined) throw new Error('A delivery was claimed without its subscription.')
  return target
}

/**
 * Deliveries to a paused subscription wait. Deliveries to one that is deleted, deactivated or without an owner end.
 */
async function filterBySubscription(
  queue: QueueData,
  permits: readonly KeyPermits[],
  { access, lost, now }: { access: AccessParts; lost: LostOwners; now: string },
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
      lost.note(ownedBy(subscription), 'gone')
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

/**
 * Keeps deliveries unsent whose owner may no longer see the event.
 * @returns the deliveries that are to be sent
 */
async function keepForbidden(
  queue: QueueData,
  due: readonly DueWithoutData[],
  parts: {
    access: AccessParts
    lost: LostOwners
    subscriptions: ReadonlyMap<string, TargetRow>
    now: string
  },
): Promise<DueWithoutData[]> {
  const { access, lost, subscriptions, now } = parts
  const forbidden = new Set<DueWithoutData>()
  const questions: (RowQuestion & { each: DueWithoutData })[] = []
  for (const each of due) {
    const { tenantId, subscriptionId, eventId, eventType, key } = each
    const target = subscriptions.get(subscriptionKey(tenantId, subscriptionId))
    if (target === undefined || parseQueueKey(key).kind === 'test') continue
    const subscriber = ownedBy(target)
    const verdict = verdictFor(eventType, subscriber, access)
    lost.note(subscriber, verdict)
    if (verdict === 'byRow')
      questions.push({ event: { tenantId, id: eventId, type: eventType }, subscriber, each })
    else if (verdict !== 'allowed') forbidden.add(each)
  }
  for (const each of await withUnreadableRow(queue, questions, access)) forbidden.add(each)
  if (forbidden.size === 0) return [...due]
  await endDeliveries(queue, [...forbidden], { status: 'KEPT', reason: 'forbidden', now })
  return due.filter((each) => !forbidden.has(each))
}

/** @returns the deliveries about rows that the owner may no longer read */
async function withUnreadableRow(
  queue: QueueData,
  questions: readonly (RowQuestion & { each: DueWithoutData })[],
  access: AccessParts,
): Promise<DueWithoutData[]> {
  if (questions.length === 0) return []
  const states = await statesOf(
    queue,
    questions.map(({ event }) => event),
  )
  const stateOf = (id: string) => states.get(id) ?? null
  const answers = await decideByRow(queue.executor, questions, { ...access, stateOf })
  return questions.flatMap(({ each }, index) => (answers[index] === true ? [] : [each]))
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

function ownedBy({ tenant_id: tenantId, is_active: isActive, ...row }: TargetRow) {
  const { id, owner, access, customer, events } = row
  return { tenantId, id, owner, access, customer, events, isActive }
}

function keyOf({ tenant_id, id }: TargetRow): string {
  return subscriptionKey(tenant_id, id)
}

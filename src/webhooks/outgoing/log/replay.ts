/** Deliveries at the request of a user: replays, recoveries of failed deliveries, and tests. */
import { type Context, now } from '../../../core/context.ts'
import { publish } from '../../../core/events/publish.ts'
import { isUuid, newId } from '../../../core/id.ts'
import { decodeCursor, encodeCursor } from '../../../core/page.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { beforeAllIds } from '../../../database/json-page.ts'
import { sightOf } from '../../subscriptions/access.ts'
import { subscriptions } from '../../subscriptions/readable.ts'
import { requireTrusted } from '../../subscriptions/subscription.ts'
import { formatQueueKey, type QueueKey } from '../queue/key.ts'
import { noSuchDelivery } from './log.ts'
import { deliveries, deliveriesInReach, reachedTypes } from './readable.ts'
import type { Delivery, Recovery, RecoveryReport } from './schema.ts'
import {
  countRecoverable,
  insertDelivery,
  lockEvent,
  markEventDispatched,
  recoverableIds,
  recoverDeliveries,
} from './sql.ts'

/** The most deliveries of one transaction, so that others can write in between. */
const recoveredPerTransaction = 500
/** The most deliveries of one request, so that the request ends before clients time out. */
export const maxRecovered = 10_000

/**
 * Sends the event of a delivery again, as a new delivery with the whole schedule.
 * @throws ServiceError `notFound`, also when the subscription or the event no longer exists
 */
export async function replayDelivery(context: Context, id: string): Promise<Delivery> {
  const reached = await deliveriesInReach(context)
  return inTransaction(context, async (inside) => {
    const original = await deliveries.show(inside, id, reached)
    await subscriptions.show(inside, original.subscriptionId)
    if (!(await lockEvent(inside.data, original.eventId))) throw noSuchDelivery()
    return queueDelivery(inside, { ...original, kind: 'REPLAY' }, 'first')
  })
}

/**
 * Sends the event `webhook.test` to one subscription, which may be paused.
 * @throws ServiceError `notFound`
 */
export function testSubscription(context: Context, subscriptionId: string): Promise<Delivery> {
  return inTransaction(context, async (inside) => {
    const { id } = await subscriptions.show(inside, subscriptionId)
    const eventType = 'webhook.test'
    const eventId = await publish(inside, eventType, { subscriptionId: id })
    await markEventDispatched(inside.data, eventId, now(context))
    return queueDelivery(inside, { subscriptionId: id, eventId, eventType, kind: 'TEST' }, 'test')
  })
}

/**
 * Delivers dead and kept deliveries, oldest first.
 * @throws ServiceError `notFound`, `invalid` for a foreign cursor, `forbidden` as for a change of the subscription
 */
export async function recoverSubscription(
  context: Context,
  subscriptionId: string,
  { since, until, cursor, dryRun = false }: Recovery,
): Promise<RecoveryReport> {
  const id = await requireTrusted(context, subscriptionId)
  const sight = await sightOf(context)
  const filter = {
    subscriptionId: id,
    since,
    until: until ?? null,
    hiddenTypes: sight.hidden,
    typesByRow: sight.byRow,
    reached: reachedTypes(context, sight), // as far as a caller may see events of some rows only
  }
  // Continues after the last id: a delivery that dies again in the meantime is not recovered twice.
  let after = cursor === undefined ? beforeAllIds : decodeCursor(cursor, isUuid)
  if (dryRun) return { deliveries: await countRecoverable(context.data, filter, after), dryRun, next: null }
  let recovered = 0
  for (let seen = 0; seen < maxRecovered; seen += recoveredPerTransaction) {
    const ids = await recoverableIds(context.data, filter, { after, limit: recoveredPerTransaction })
    const last = ids.at(-1)
    if (last === undefined) break
    recovered += await inTransaction(context, async (inside) => {
      wakeAfterCommit(inside)
      const queue = formatQueueKey({ tenantId: context.tenant.id, subscriptionId: id, kind: 'first' })
      return recoverDeliveries(inside.data, ids, { queue, now: now(context) })
    })
    after = last
  }
  const isMore = (await recoverableIds(context.data, filter, { after, limit: 1 })).length > 0
  return { deliveries: recovered, dryRun, next: isMore ? encodeCursor(after) : null }
}

type Request = Pick<Delivery, 'subscriptionId' | 'eventId' | 'eventType' | 'kind'>

async function queueDelivery(
  inside: Context,
  request: Request,
  keyKind: QueueKey['kind'],
): Promise<Delivery> {
  const { subscriptionId, eventId, eventType, kind } = request
  const id = newId()
  const moment = now(inside)
  await insertDelivery(inside.data, {
    id,
    subscription_id: subscriptionId,
    event_id: eventId,
    event_type: eventType,
    kind,
    copy: id,
    status: 'PENDING',
    attempts: 0,
    attempts_before: 0,
    queue: formatQueueKey({ tenantId: inside.tenant.id, subscriptionId, kind: keyKind }),
    next_at: moment,
    lease: null,
    created_at: moment,
    finished_at: null,
    reason: null,
  })
  wakeAfterCommit(inside)
  return {
    id,
    subscriptionId,
    eventId,
    eventType,
    kind,
    status: 'PENDING',
    attempts: 0,
    nextAttemptAt: moment,
    createdAt: moment,
    finishedAt: null,
    reason: null,
  }
}

/** The queue scans the database, because it does not know yet of these deliveries that they are due. */
export function wakeAfterCommit({ shared, tenant, transaction, transactionDatabase }: Context): void {
  if (transaction === null || transactionDatabase === null)
    throw new Error('A delivery was queued outside a transaction.')
  transaction.afterCommit(() => shared.wakeQueues(tenant.id, transactionDatabase, true))
}

/** Deliveries that a user asks for: a replay, a recovery of all that failed, or a test. */
import { type Context, now } from '../../../core/context.ts'
import { publish } from '../../../core/events/publish.ts'
import { isUuid, newId } from '../../../core/id.ts'
import { decodeCursor, encodeCursor } from '../../../core/page.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { beforeAllIds } from '../../../database/json-page.ts'
import { getSubscription, getTrustedSubscription } from '../../subscriptions/subscription.ts'
import { formatQueueKey, type QueueKey } from '../queue/key.ts'
import { findVisible, hiddenTypes, noSuchDelivery, shown, utc } from './log.ts'
import type { Delivery, Recovery, RecoveryReport } from './schema.ts'
import {
  countRecoverable,
  type DeliveryRow,
  insertDelivery,
  keepEvent,
  markEventDispatched,
  recoverableIds,
  recoverDeliveries,
} from './sql.ts'

/** In one transaction, so that others can write in between. */
const recoveredPerTransaction = 500
/** In one request, so that it ends before clients time out. */
export const maxRecovered = 10_000

/**
 * Sends the event of a delivery again, as a new delivery with the whole schedule.
 * @throws ServiceError `notFound`, also when its subscription or its event is gone
 */
export function replayDelivery(context: Context, id: string): Promise<Delivery> {
  return inTransaction(context, async (inside) => {
    const original = await findVisible(inside, id)
    if (original === null) throw noSuchDelivery()
    await getSubscription(inside, original.subscriptionId)
    if (!(await keepEvent(inside.data, original.eventId))) throw noSuchDelivery()
    return queueDelivery(inside, { ...original, kind: 'REPLAY' }, 'first')
  })
}

/**
 * Sends the event `webhook.test` to one subscription like any other event, paused or not.
 * @throws ServiceError `notFound`
 */
export function testSubscription(context: Context, subscriptionId: string): Promise<Delivery> {
  return inTransaction(context, async (inside) => {
    const { id } = await getSubscription(inside, subscriptionId)
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
  const { id } = await getTrustedSubscription(context, subscriptionId)
  const end = until === undefined ? null : utc(until)
  const which = { subscriptionId: id, since: utc(since), until: end, hiddenTypes: hiddenTypes(context) }
  // After the last one each time: a delivery that dies again meanwhile is not recovered twice.
  let after = cursor === undefined ? beforeAllIds : decodeCursor(cursor, isUuid)
  if (dryRun) return { deliveries: await countRecoverable(context.data, which, after), dryRun, next: null }
  let recovered = 0
  for (let seen = 0; seen < maxRecovered; seen += recoveredPerTransaction) {
    const ids = await recoverableIds(context.data, which, { after, limit: recoveredPerTransaction })
    const last = ids.at(-1)
    if (last === undefined) break
    recovered += await inTransaction(context, async (inside) => {
      wakeAfter(inside)
      const queue = formatQueueKey({ tenantId: context.tenant.id, subscriptionId: id, kind: 'first' })
      return recoverDeliveries(inside.data, ids, { queue, now: now(context) })
    })
    after = last
  }
  const isMore = (await recoverableIds(context.data, which, { after, limit: 1 })).length > 0
  return { deliveries: recovered, dryRun, next: isMore ? encodeCursor(after) : null }
}

type Asked = Pick<DeliveryRow, 'subscriptionId' | 'eventId' | 'eventType' | 'kind'>

async function queueDelivery(inside: Context, asked: Asked, keyKind: QueueKey['kind']): Promise<Delivery> {
  const { subscriptionId, eventId, eventType, kind } = asked
  const id = newId()
  const moment = now(inside)
  const state = { status: 'PENDING', attempts: 0, lease: null, reason: null }
  await insertDelivery(inside.data, {
    id,
    subscription_id: subscriptionId,
    event_id: eventId,
    event_type: eventType,
    kind,
    copy: id,
    attempts_before: 0,
    queue: formatQueueKey({ tenantId: inside.tenant.id, subscriptionId, kind: keyKind }),
    next_at: moment,
    created_at: moment,
    finished_at: null,
    ...state,
  })
  wakeAfter(inside)
  return shown({
    ...{ id, subscriptionId, eventId, eventType, kind, ...state },
    nextAt: moment,
    createdAt: moment,
    finishedAt: null,
  })
}

function wakeAfter({ shared, tenant, transaction, transactionDatabase }: Context): void {
  if (transaction === null || transactionDatabase === null) throw new Error('This needs a transaction.')
  transaction.afterCommit(() => shared.wakeQueues(tenant.id, transactionDatabase, true))
}

/** The log of a tenant's deliveries, with every attempt. */
import type { Context } from '../../../core/context.ts'
import { ServiceError } from '../../../core/errors.ts'
import { isUuid } from '../../../core/id.ts'
import { decodeCursor, type Page, readPage } from '../../../core/page.ts'
import { parseKeepingNumbers } from '../../../core/schema/exact-number.ts'
import { visibleRights } from '../../subscriptions/access.ts'
import { subscriptionsInReach } from '../../subscriptions/reach.ts'
import { subscriptions } from '../../subscriptions/readable.ts'
import { idsOfPeriod } from './period.ts'
import type { Delivery, DeliveryQuery, DeliveryWithAttempts } from './schema.ts'
import {
  attemptsOf,
  type DeliveryFilter,
  type DeliveryRow,
  deliveryPage,
  findDelivery,
  findEvent,
} from './sql.ts'

export interface DeliveryListing extends DeliveryQuery {
  limit: number
}

/** Newest first. @throws ServiceError `invalid` for a foreign cursor */
export async function listDeliveries(context: Context, query: DeliveryListing): Promise<Page<Delivery>> {
  const before = query.cursor === undefined ? null : decodeCursor(query.cursor, isUuid)
  const filter = { ...filterOf(query), ...(await reachOf(context)), hiddenTypes: await hiddenTypes(context) }
  if (filter.among?.length === 0) return { items: [], next: null }
  const bounds = await idsOfPeriod(context.data, filter)
  return readPage(query.limit, async (rows) => {
    const found = await deliveryPage(context.data, { ...filter, ...bounds }, before, rows)
    return found.map(toDelivery)
  })
}

/** @throws ServiceError `notFound` for a subscription that does not exist */
export async function listDeliveriesOf(
  context: Context,
  subscriptionId: string,
  query: DeliveryListing,
): Promise<Page<Delivery>> {
  const { id } = await subscriptions.show(context, subscriptionId)
  return listDeliveries(context, { ...query, subscriptionId: id })
}

/** @throws ServiceError `notFound` */
export async function getDelivery(context: Context, id: string): Promise<DeliveryWithAttempts> {
  const row = await findVisible(context, id, await hiddenTypes(context))
  const event = row === null ? null : await findEvent(context.data, row.eventId)
  if (row === null || event === null) throw noSuchDelivery()
  const attempts = await attemptsOf(context.data, row.id)
  return {
    ...toDelivery(row),
    event: { ...event, data: parseKeepingNumbers(event.data) },
    attemptLog: attempts.map((attempt) => ({
      ...attempt,
      requestHeaders: JSON.parse(attempt.requestHeaders) as Record<string, string>, // written by `attemptRow`
      responseHeaders: JSON.parse(attempt.responseHeaders) as Record<string, string>, // as above
    })),
  }
}

/** @param hidden by `hiddenTypes` @returns `null` also for a delivery of an event that the actor may not see */
export async function findVisible(
  context: Context,
  id: string,
  hidden: readonly string[],
): Promise<DeliveryRow | null> {
  const row = await findDelivery(context.data, id)
  if (row === null || hidden.includes(row.eventType)) return null
  const { among } = await reachOf(context)
  return among === undefined || among.includes(row.subscriptionId) ? row : null
}

/** The subscriptions whose deliveries the actor reaches; none named for those who reach all. */
async function reachOf(context: Context): Promise<{ among?: readonly string[] }> {
  const ids = await subscriptionsInReach(context)
  return ids === null ? {} : { among: ids }
}

/** The types of events that the actor may not see. */
export async function hiddenTypes(context: Context): Promise<readonly string[]> {
  return context.shared.eventTypes.hiddenFrom(await visibleRights(context))
}

export function noSuchDelivery(): ServiceError {
  return new ServiceError('notFound', 'There is no such delivery.')
}

/** While a delivery is being sent, `nextAt` is the end of its lease, and not its next attempt. */
export function toDelivery({ nextAt, lease, status, ...row }: DeliveryRow): Delivery {
  const isSending = status === 'PENDING' && lease !== null
  return {
    ...row,
    status: isSending ? 'SENDING' : (status as Delivery['status']), // the stored states
    nextAttemptAt: isSending ? null : nextAt,
  }
}

function filterOf({ status, eventType, subscriptionId, since, until }: DeliveryListing): DeliveryFilter {
  return {
    ...(status !== undefined && { status }),
    ...(eventType !== undefined && { eventType }),
    ...(subscriptionId !== undefined && { subscriptionId: subscriptionId.toLowerCase() }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  }
}

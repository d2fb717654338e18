/** The log of a tenant's deliveries, with every attempt. */
import type { Context } from '../../../core/context.ts'
import { ServiceError } from '../../../core/errors.ts'
import { isUuid } from '../../../core/id.ts'
import { decodeCursor, type Page, readPage } from '../../../core/page.ts'
import { accessOf } from '../../subscriptions/access.ts'
import { getSubscription } from '../../subscriptions/subscription.ts'
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
  const filter = { ...filterOf(query), hiddenTypes: hiddenTypes(context) }
  const bounds = await idsOfPeriod(context.data, filter)
  return readPage(query.limit, async (rows) => {
    const found = await deliveryPage(context.data, { ...filter, ...bounds }, before, rows)
    return found.map(shown)
  })
}

/** @throws ServiceError `notFound` for a subscription that does not exist */
export async function listDeliveriesOf(
  context: Context,
  subscriptionId: string,
  query: DeliveryListing,
): Promise<Page<Delivery>> {
  const { id } = await getSubscription(context, subscriptionId)
  return listDeliveries(context, { ...query, subscriptionId: id })
}

/** @throws ServiceError `notFound` */
export async function getDelivery(context: Context, id: string): Promise<DeliveryWithAttempts> {
  const row = await findVisible(context, id)
  const event = row === null ? null : await findEvent(context.data, row.eventId)
  if (row === null || event === null) throw noSuchDelivery()
  const attempts = await attemptsOf(context.data, row.id)
  return {
    ...shown(row),
    event: { ...event, data: JSON.parse(event.data) as unknown },
    attemptLog: attempts.map((attempt) => ({
      ...attempt,
      requestHeaders: JSON.parse(attempt.requestHeaders) as Record<string, string>, // as it was recorded
      responseHeaders: JSON.parse(attempt.responseHeaders) as Record<string, string>, // likewise
    })),
  }
}

/** @returns `null` also for a delivery of an event that the actor may not see */
export async function findVisible(context: Context, id: string): Promise<DeliveryRow | null> {
  const row = await findDelivery(context.data, id)
  return row !== null && hiddenTypes(context).includes(row.eventType) ? null : row
}

/** Of events that the actor may not see. */
export function hiddenTypes({ actor, shared }: Context): readonly string[] {
  return accessOf(actor) === 'admin' ? [] : shared.eventTypes.forAdmins
}

export function noSuchDelivery(): ServiceError {
  return new ServiceError('notFound', 'There is no such delivery.')
}

/** A delivery that is being sent has a lease. The end of the lease is not its next attempt. */
export function shown({ nextAt, lease, status, ...row }: DeliveryRow): Delivery {
  const isSending = status === 'PENDING' && lease !== null
  return {
    ...row,
    status: isSending ? 'SENDING' : (status as Delivery['status']), // nothing else is written there
    nextAttemptAt: isSending ? null : nextAt,
  }
}

function filterOf({ status, eventType, subscriptionId, since, until }: DeliveryListing): DeliveryFilter {
  return {
    ...(status !== undefined && { status }),
    ...(eventType !== undefined && { eventType }),
    ...(subscriptionId !== undefined && { subscriptionId: subscriptionId.toLowerCase() }),
    ...(since !== undefined && { since: utc(since) }),
    ...(until !== undefined && { until: utc(until) }),
  }
}

/** Moments are compared as text on one of the databases. */
export function utc(moment: string): string {
  return new Date(moment).toISOString()
}

/** Turns events into deliveries: one for each subscription that wants the event. */

import { type EventTypes, patternsFor } from '../../../core/events/event-type.ts'
import { newId } from '../../../core/id.ts'
import type { QueueData } from '../../../database/data.ts'
import type { Dialect } from '../../../database/executor.ts'
import { lineName } from '../queue/lane.ts'
import {
  insertDeliveries,
  markDispatched,
  type NewDelivery,
  type NewEvent,
  type Subscriber,
  subscribersOf,
  takeNewEvents,
  tenantsWithNewEvents,
} from './sql.ts'

/** Events of each tenant in one transaction: a burst of one does not hold up the others. */
const mostPerTenant = 100
/** Events of all tenants, and the deliveries that they become: on SQLite everybody else waits meanwhile. */
export const mostAtOnce: Record<Dialect, { events: number; deliveries: number }> = {
  sqlite: { events: 200, deliveries: 200 },
  postgres: { events: 2000, deliveries: 2000 },
}

/** Whose events one transaction takes, at least while there are so many. */
export const tenantsAtOnce = 200

/** Those of several instances, at most. */
const clocksDifferMs = 10_000

export interface Dispatched {
  events: number
  /** Where deliveries wait now. */
  lines: Set<string>
  /** There may be more than one transaction takes. */
  isMore: boolean
}

/**
 * Looks page by page: tenants whose events wait to be copied elsewhere hold up nobody behind them.
 * @param here of a page, those whose events are dispatched in this database
 * @returns `tenantsAtOnce` or more when there may be others
 */
export async function tenantsToDispatch(
  queue: QueueData,
  here: (page: readonly string[]) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = []
  for (let after = ''; found.length < tenantsAtOnce; ) {
    const page = await tenantsWithNewEvents(queue, after, tenantsAtOnce)
    if (page.length > 0) found.push(...(await here(page)))
    const last = page.at(-1)
    if (last === undefined || page.length < tenantsAtOnce) break
    after = last
  }
  return found
}

/** To be called in a transaction: deliveries and the mark on their events are there together or not at all. */
export async function dispatchEvents(
  queue: QueueData,
  tenantIds: readonly string[],
  { eventTypes, now }: { eventTypes: EventTypes; now: string },
): Promise<Dispatched> {
  const most = mostAtOnce[queue.executor.dialect]
  const perTenant = Math.max(1, Math.min(mostPerTenant, Math.floor(most.events / tenantIds.length)))
  const found = await takeNewEvents(queue, tenantIds, perTenant)
  if (found.length === 0) return { events: 0, lines: new Set(), isMore: false }
  const byTenant = Map.groupBy(found, ({ tenantId }) => tenantId)
  const subscribers = Map.groupBy(
    await subscribersOf(queue, [...byTenant.keys()]),
    ({ tenantId }) => tenantId,
  )
  const events: NewEvent[] = []
  const deliveries: NewDelivery[] = []
  for (const event of inTurn([...byTenant.values()])) {
    const patterns = patternsFor(event.type)
    const isForAdmins = eventTypes.accessOf(event.type) === 'admin'
    const wanted = (subscribers.get(event.tenantId) ?? []).filter(
      (subscriber) =>
        (!isForAdmins || subscriber.access === 'admin') &&
        patternsOf(subscriber).some((pattern) => patterns.includes(pattern)) &&
        !isBefore(event, subscriber, now),
    )
    if (events.length > 0 && deliveries.length + wanted.length > most.deliveries) break
    events.push(event)
    deliveries.push(...wanted.map((subscriber) => deliveryOf(event, subscriber, now)))
  }
  if (deliveries.length > 0) await insertDeliveries(queue, deliveries, now)
  await markDispatched(queue, events, now)
  return {
    events: events.length,
    lines: new Set(deliveries.flatMap(({ queue: line }) => line ?? [])),
    isMore: events.length < found.length || [...byTenant.values()].some((each) => each.length === perTenant),
  }
}

/** The oldest of every tenant, then the second of every tenant: whoever has many is not first each time. */
function inTurn(tenants: readonly (readonly NewEvent[])[]): NewEvent[] {
  return tenants
    .flatMap((events) => events.map((event, turn) => ({ event, turn })))
    .toSorted((a, b) => a.turn - b.turn || (a.event.id < b.event.id ? -1 : 1))
    .map(({ event }) => event)
}

/** For a subscription that the service has ended, it is kept until somebody recovers it. */
function deliveryOf(event: NewEvent, subscriber: Subscriber, now: string): NewDelivery {
  const line = { tenantId: event.tenantId, subscriptionId: subscriber.id, lane: 'first' } as const
  const isKept = subscriber.deactivatedAt !== null && !subscriber.isActive
  return {
    tenantId: event.tenantId,
    id: newId(),
    subscriptionId: subscriber.id,
    eventId: event.id,
    eventType: event.type,
    ...(isKept
      ? { status: 'KEPT', queue: null, nextAt: null, reason: 'deactivated' }
      : { status: 'PENDING', queue: lineName(line), nextAt: now, reason: null }),
  }
}

/**
 * An event from before its subscription is none of its business, as far as clocks can be compared: when even the
 * present is before the subscription, the clock was set back, and says nothing about the event.
 */
function isBefore(event: NewEvent, subscriber: Subscriber, now: string): boolean {
  const subscribedMs = Date.parse(subscriber.createdAt) - clocksDifferMs
  return Date.parse(event.createdAt) < subscribedMs && Date.parse(now) >= subscribedMs
}

/** Lists as they are stored; few differ, and parsing one costs more than matching it. */
const parsed = new Map<string, string[]>()
const mostParsed = 10_000

function patternsOf({ events }: Subscriber): string[] {
  let patterns = parsed.get(events)
  if (patterns === undefined) {
    patterns = JSON.parse(events) as string[] // written as a list of patterns
    if (parsed.size >= mostParsed) parsed.clear()
    parsed.set(events, patterns)
  }
  return patterns
}

/** Dispatches events: one delivery for each subscription that wants the event. */

import type { EventTypes } from '../../../core/events/event-type.ts'
import { patternsFor } from '../../../core/events/event-type.ts'
import { newId } from '../../../core/id.ts'
import type { QueueData } from '../../../database/data.ts'
import type { Dialect } from '../../../database/executor.ts'
import { formatQueueKey } from '../queue/key.ts'
import {
  claimNewEvents,
  type EventSubscriber,
  insertDeliveries,
  markDispatched,
  type NewDelivery,
  type NewEvent,
  subscribersOf,
  tenantsWithNewEvents,
} from './sql.ts'

/** Events of one tenant in one transaction: a burst does not delay the other tenants. */
const maxEventsPerTenant = 100
/** In one transaction, of all tenants. On SQLite other writers wait meanwhile. */
export const maxDispatched: Record<Dialect, { events: number; deliveries: number }> = {
  sqlite: { events: 200, deliveries: 200 },
  postgres: { events: 2000, deliveries: 2000 },
}

/** Tenants whose events one transaction dispatches. */
export const tenantsPerPass = 200

/** Between clocks of several instances. */
const maxClockDifferenceMs = 10_000

export interface Dispatched {
  events: number
  /** The queue keys under which deliveries wait now. */
  keys: ReadonlySet<string>
  /** There may be more than one transaction dispatches. */
  isMore: boolean
}

export const nothingDispatched: Dispatched = { events: 0, keys: new Set(), isMore: false }

/**
 * Reads page by page, so that tenants whose events are dispatched elsewhere do not hide those after them.
 * @param filter returns the tenants of a page whose events are dispatched in this database
 * @returns `tenantsPerPass` or more when there may be others
 */
export async function tenantsToDispatch(
  queue: QueueData,
  filter: (page: readonly string[]) => Promise<readonly string[]>,
): Promise<string[]> {
  const found: string[] = []
  for (let after = ''; found.length < tenantsPerPass; ) {
    const page = await tenantsWithNewEvents(queue, after, tenantsPerPass)
    if (page.length > 0) found.push(...(await filter(page)))
    const last = page.at(-1)
    if (last === undefined || page.length < tenantsPerPass) break
    after = last
  }
  return found
}

/** To be called in a transaction: deliveries are written together with the mark on their events, or not at all. */
export async function dispatchEvents(
  queue: QueueData,
  tenantIds: readonly string[],
  { eventTypes, now }: { eventTypes: EventTypes; now: string },
): Promise<Dispatched> {
  const max = maxDispatched[queue.executor.dialect]
  const perTenant = Math.max(1, Math.min(maxEventsPerTenant, Math.floor(max.events / tenantIds.length)))
  const found = await claimNewEvents(queue, tenantIds, perTenant)
  if (found.length === 0) return nothingDispatched
  const byTenant = Map.groupBy(found, ({ tenantId }) => tenantId)
  const subscribers = Map.groupBy(
    await subscribersOf(queue, [...byTenant.keys()]),
    ({ tenantId }) => tenantId,
  )
  const events: NewEvent[] = []
  const deliveries: NewDelivery[] = []
  for (const event of inRotation([...byTenant.values()])) {
    const wanted = wantingSubscribers(event, subscribers.get(event.tenantId) ?? [], { eventTypes, now })
    if (events.length > 0 && deliveries.length + wanted.length > max.deliveries) break
    events.push(event)
    deliveries.push(...wanted.map((subscriber) => deliveryOf(event, subscriber, now)))
  }
  if (deliveries.length > 0) await insertDeliveries(queue, deliveries, now)
  await markDispatched(queue, events, now)
  return {
    events: events.length,
    keys: new Set(deliveries.flatMap(({ queue: key }) => key ?? [])),
    isMore: events.length < found.length || [...byTenant.values()].some((each) => each.length === perTenant),
  }
}

/** The oldest event of every tenant, then the second of every tenant: no tenant is first because it has many. */
function inRotation(tenants: readonly (readonly NewEvent[])[]): NewEvent[] {
  return tenants
    .flatMap((events) => events.map((event, place) => ({ event, place })))
    .toSorted((a, b) => a.place - b.place || (a.event.id < b.event.id ? -1 : 1))
    .map(({ event }) => event)
}

function wantingSubscribers(
  event: NewEvent,
  subscribers: readonly EventSubscriber[],
  { eventTypes, now }: { eventTypes: EventTypes; now: string },
): EventSubscriber[] {
  const patterns = patternsFor(event.type)
  const isForAdmins = eventTypes.accessOf(event.type) === 'admin'
  return subscribers.filter(
    (subscriber) =>
      (!isForAdmins || subscriber.access === 'admin') &&
      patternsOf(subscriber).some((pattern) => patterns.includes(pattern)) &&
      !isBefore(event, subscriber, now),
  )
}

/** For a subscription that the service has deactivated, the delivery is kept until a user recovers it. */
function deliveryOf(event: NewEvent, subscriber: EventSubscriber, now: string): NewDelivery {
  const key = { tenantId: event.tenantId, subscriptionId: subscriber.id, kind: 'first' } as const
  const isKept = subscriber.deactivatedAt !== null && !subscriber.isActive
  return {
    tenantId: event.tenantId,
    id: newId(),
    subscriptionId: subscriber.id,
    eventId: event.id,
    eventType: event.type,
    ...(isKept
      ? { status: 'KEPT', queue: null, nextAt: null, reason: 'deactivated' }
      : { status: 'PENDING', queue: formatQueueKey(key), nextAt: now, reason: null }),
  }
}

/**
 * A subscription does not get events from before it was made, as far as clocks can be compared. When even the present
 * is before the subscription, the clock was set back, and the moment of the event proves nothing.
 */
function isBefore(event: NewEvent, subscriber: EventSubscriber, now: string): boolean {
  const subscribedMs = Date.parse(subscriber.createdAt) - maxClockDifferenceMs
  return Date.parse(event.createdAt) < subscribedMs && Date.parse(now) >= subscribedMs
}

/** By the stored text. Few lists differ, and parsing one costs more than matching it. */
const parsedPatterns = new Map<string, string[]>()
const maxParsedPatterns = 10_000

function patternsOf({ events }: EventSubscriber): string[] {
  let patterns = parsedPatterns.get(events)
  if (patterns === undefined) {
    patterns = JSON.parse(events) as string[] // stored as a list of patterns
    if (parsedPatterns.size >= maxParsedPatterns) parsedPatterns.clear()
    parsedPatterns.set(events, patterns)
  }
  return patterns
}

/** Dispatches events: creates a delivery for each subscription whose patterns match the event. */

import { patternsFor } from '../../../core/events/event-type.ts'
import { newId } from '../../../core/id.ts'
import type { QueueData } from '../../../database/data.ts'
import type { Dialect } from '../../../database/executor.ts'
import { type AccessParts, verdictFor } from '../../subscriptions/access.ts'
import { decideByRow, type RowQuestion } from '../../subscriptions/row-access.ts'
import { formatQueueKey } from '../queue/key.ts'
import type { LostOwners } from '../queue/subscription/lost-owner.ts'
import {
  claimNewEvents,
  type EventSubscriber,
  insertDeliveries,
  markDispatched,
  type NewDelivery,
  type NewEvent,
  statesOf,
  subscribersOf,
  tenantsWithNewEvents,
} from './sql.ts'

/** The most events of one tenant in a transaction, so that a burst of one tenant does not delay the others. */
const maxEventsPerTenant = 100
/**
 * The most events and deliveries of all tenants in a transaction. On SQLite, other
 * writers wait for the transaction.
 */
export const maxDispatched: Record<Dialect, { events: number; deliveries: number }> = {
  sqlite: { events: 200, deliveries: 200 },
  postgres: { events: 2000, deliveries: 2000 },
}

/** The maximum number of tenants whose events one transaction dispatches. */
export const tenantsPerPass = 200

/** The largest difference between the clocks of instances that is allowed for. */
const maxClockDifferenceMs = 10_000

export interface Dispatched {
  events: number
  /** The queue keys of the new deliveries. */
  keys: ReadonlySet<string>
  /** Whether further events may be waiting. */
  isMore: boolean
}

export const nothingDispatched: Dispatched = { events: 0, keys: new Set(), isMore: false }

/**
 * Reads page by page, so that tenants whose events are dispatched elsewhere do not hide later tenants.
 * @param filter returns the tenants of a page whose events are dispatched in this database
 * @returns `tenantsPerPass` or more tenants when there may be others
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

/**
 * Dispatches the oldest new events, inside a transaction: their deliveries are committed together with the mark that
 * the events are dispatched.
 * @param lost collects subscriptions whose owner is gone or sees none of their events
 */
export async function dispatchEvents(
  queue: QueueData,
  tenantIds: readonly string[],
  { now, lost, ...parts }: AccessParts & { now: string; lost: LostOwners },
): Promise<Dispatched> {
  const max = maxDispatched[queue.executor.dialect]
  const perTenant = Math.max(1, Math.min(maxEventsPerTenant, Math.floor(max.events / tenantIds.length)))
  const found = await claimNewEvents(queue, tenantIds, perTenant)
  if (found.length === 0) return nothingDispatched
  const byTenant = Map.groupBy(found, ({ tenantId }) => tenantId)
  const all = await subscribersOf(queue, [...byTenant.keys()])
  parts.rights.require(all)
  const subscribers = Map.groupBy(all, ({ tenantId }) => tenantId)
  const events: NewEvent[] = []
  const deliveries: NewDelivery[] = []
  const wantedBy = (event: NewEvent) =>
    matchingSubscribers(event, subscribers.get(event.tenantId) ?? [], { ...parts, now, lost })
  const byRow =
    parts.eventTypes.ruled.length > 0
      ? await wantedByRow(queue, found, { ...parts, wantedBy })
      : noRuledEvents
  for (const event of inRotation([...byTenant.values()])) {
    const wanted = byRow.get(event.id) ?? wantedBy(event)
    if (events.length > 0 && deliveries.length + wanted.length > max.deliveries) break
    events.push(event)
    deliveries.push(...wanted.map((each) => deliveryOf(event, each, now)))
  }
  if (deliveries.length > 0) await insertDeliveries(queue, deliveries, now)
  await markDispatched(queue, events, now)
  return {
    events: events.length,
    keys: new Set(deliveries.flatMap(({ queue: key }) => key ?? [])),
    isMore: events.length < found.length || [...byTenant.values()].some((each) => each.length === perTenant),
  }
}

/**
 * Orders the oldest event of every tenant first, then the second: a tenant with many events does not delay others.
 */
function inRotation(tenants: readonly (readonly NewEvent[])[]): NewEvent[] {
  return tenants
    .flatMap((events) => events.map((event, rank) => ({ event, rank })))
    .toSorted((a, b) => a.rank - b.rank || (a.event.id < b.event.id ? -1 : 1))
    .map(({ event }) => event)
}

/** A subscriber that gets an event. */
interface Wanted {
  subscriber: EventSubscriber
  /** Whether the subscription has no owner any more. */
  isOwnerGone: boolean
  /** Whether the event is about a row whose rules still have to decide: its owner may not be allowed to read it. */
  isByRow: boolean
}

const noRuledEvents: ReadonlyMap<string, Wanted[]> = new Map()

/**
 * Rules of an application limit who may read the rows of a table, and so who gets the events of these rows.
 * @returns the subscribers of such events, by the ids of the events
 */
async function wantedByRow(
  queue: QueueData,
  events: readonly NewEvent[],
  { wantedBy, ...parts }: AccessParts & { wantedBy: (event: NewEvent) => Wanted[] },
): Promise<ReadonlyMap<string, Wanted[]>> {
  const wanted = new Map<string, Wanted[]>()
  const questions: (RowQuestion<EventSubscriber> & { each: Wanted })[] = []
  for (const event of events) {
    if (parts.eventTypes.rowsOf(event.type) === null) continue
    const all = wantedBy(event)
    wanted.set(
      event.id,
      all.filter(({ isByRow }) => !isByRow),
    )
    for (const each of all) if (each.isByRow) questions.push({ event, subscriber: each.subscriber, each })
  }
  const states = await statesOf(queue, [...new Set(questions.map(({ event }) => event))])
  const stateOf = (id: string) => states.get(id) ?? null
  const answers = await decideByRow(queue.executor, questions, { ...parts, stateOf })
  for (const [index, { event, each }] of questions.entries())
    if (answers[index] === true) wanted.get(event.id)?.push(each)
  return wanted
}

/** @returns the subscribers whose patterns match the event, except those whose owner may not see it */
function matchingSubscribers(
  event: NewEvent,
  subscribers: readonly EventSubscriber[],
  { now, lost, ...parts }: AccessParts & { now: string; lost: LostOwners },
): Wanted[] {
  const patterns = patternsFor(event.type)
  return subscribers.flatMap((subscriber) => {
    const isMatching = patternsOf(subscriber).some((pattern) => patterns.includes(pattern))
    if (!isMatching || isBefore(event, subscriber, now)) return []
    const verdict = verdictFor(event.type, subscriber, parts)
    lost.note(subscriber, verdict)
    if (verdict === 'forbidden') return []
    return [{ subscriber, isOwnerGone: verdict === 'gone', isByRow: verdict === 'byRow' }]
  })
}

/**
 * A delivery to a subscription that the service has deactivated, or without an
 * owner, is kept until it is recovered.
 */
function deliveryOf(event: NewEvent, { subscriber, isOwnerGone }: Wanted, now: string): NewDelivery {
  const key = { tenantId: event.tenantId, subscriptionId: subscriber.id, kind: 'first' } as const
  const isDeactivated = subscriber.deactivatedAt !== null && !subscriber.isActive
  return {
    tenant_id: event.tenantId,
    id: newId(),
    subscription_id: subscriber.id,
    event_id: event.id,
    event_type: event.type,
    ...(isDeactivated || isOwnerGone
      ? { status: 'KEPT', queue: null, next_at: null, reason: isOwnerGone ? 'ownerGone' : 'deactivated' }
      : { status: 'PENDING', queue: formatQueueKey(key), next_at: now, reason: null }),
  }
}

/**
 * A subscription does not get events from before its creation, as far as clocks can be compared. If the
 * subscription is newer than the current time, the clock was set back, and the time of the event proves nothing.
 */
function isBefore(event: NewEvent, subscriber: EventSubscriber, now: string): boolean {
  const subscribedMs = Date.parse(subscriber.createdAt) - maxClockDifferenceMs
  return Date.parse(event.createdAt) < subscribedMs && Date.parse(now) >= subscribedMs
}

/**
 * Parsed lists of patterns by their stored text. Few lists differ, and parsing a list costs more than matching it.
 */
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

/** The feed of a tenant's events: reads and renders each event once for all subscribers of this instance. */

import { setTimeout as delay } from 'node:timers/promises'
import { CoalescingLoop } from '../../../core/coalescing-loop.ts'
import type { Lease, Shared, Tenant } from '../../../core/context.ts'
import {
  currentCursor,
  eventsAfter,
  eventsBetween,
  type FeedEvent,
  refuseForeignCursor,
} from '../../../core/events/feed.ts'
import { currentTenant } from '../../../core/tenant/directory.ts'
import { retryLogLevel } from '../../../core/tenant/unavailable-database.ts'
import { CatalogueData, TenantData } from '../../../database/data.ts'
import { DatabaseUnavailable } from '../../../database/executor.ts'
import { TimeSlice } from '../../../database/time-slice.ts'
import { Rendering, type SubscriptionRoot } from './rendering.ts'
import type { Item, Stream } from './stream.ts'
import type { LiveSubscriber } from './subscription-limits.ts'

const maxBatchEvents = 100
/** The pause after which a subscriber that is behind reads again from an unavailable database. */
const retryAfterMs = 1000

/** A subscriber and its selection. */
export interface Follower extends LiveSubscriber {
  stream: Stream
  root: SubscriptionRoot
}

/** A subscriber that has read up to a cursor by itself, or begins there, and will continue with the others. */
interface Arrival extends Follower {
  cursor: string
}

interface Source {
  data: TenantData
  lease: Lease
}

export class TenantFeed {
  readonly #shared: Shared
  readonly #tenant: Tenant
  /** All followers, including those that have not arrived yet. */
  readonly #followers = new Map<Stream, Follower>()
  readonly #subscribers = new Set<Follower>()
  readonly #arrivals = new Set<Arrival>()
  /** Of the present subscribers; `null` before its first use. */
  #rendering: Rendering | null = null
  #source: Promise<Source> | null = null
  #cursor = ''
  readonly #loop = new CoalescingLoop(
    () => this.#read(),
    (error) => this.#reportFailure(error),
  )

  constructor(shared: Shared, tenant: Tenant) {
    this.#shared = shared
    this.#tenant = tenant
  }

  get size(): number {
    return this.#followers.size
  }

  get followers(): readonly LiveSubscriber[] {
    return [...this.#followers.values()]
  }

  /**
   * @param after the cursor after which to resume; `null` for events from now on
   * @throws DatabaseUnavailable; ServiceError `unavailable`, `invalid` for the cursor of another database
   */
  async join(follower: Follower, after: string | null): Promise<void> {
    const { stream } = follower
    this.#followers.set(stream, follower)
    const { data } = await this.#begin()
    if (after !== null) await refuseForeignCursor(data, after)
    const cursor = after ?? (await currentCursor(data))
    if (stream.isEnded) return
    const arrival: Arrival = { ...follower, cursor }
    if (after === null) this.#arrive(arrival)
    else void this.#catchUp(arrival, data)
  }

  leave(stream: Stream): void {
    this.#followers.delete(stream)
    for (const among of [this.#subscribers, this.#arrivals]) {
      for (const each of among) if (each.stream === stream) among.delete(each)
    }
    this.#rendering = null
    if (this.size === 0) void this.#end()
  }

  /** Called when events may have been committed. */
  wake(): void {
    if (this.size > 0) this.#loop.wake()
  }

  /** If the tenant was moved, ends its streams after the events that were committed here. Clients resume in the new database. */
  async checkDatabase(): Promise<void> {
    if (this.#source === null) return
    const { database } = (await this.#source).lease
    const { catalogueDatabase, tenantDatabases } = this.#shared
    const tenant = await currentTenant(new CatalogueData(catalogueDatabase.executor), this.#tenant.id)
    if (tenant === null) return
    if (await tenantDatabases.holds(tenant, database)) return
    this.wake()
    await this.#loop.settled()
    this.close((stream) => stream.end())
  }

  /** @param finish called for each stream */
  close(finish: (stream: Stream) => void): void {
    for (const stream of [...this.#followers.keys()]) finish(stream)
  }

  /** The cursor stays where it is: the next pass continues there, and no event is lost. */
  #reportFailure(error: unknown): void {
    this.#shared.log[retryLogLevel(error)]({ err: error, tenantId: this.#tenant.id }, 'events not followed')
  }

  async #read(): Promise<void> {
    if (this.size === 0) return
    const { data } = await this.#begin()
    const arrived = [...this.#arrivals] // the batch read now includes everything that they have read
    const batch = await eventsAfter(data, this.#cursor, maxBatchEvents)
    await this.#send(data, batch.events)
    this.#cursor = batch.cursor
    if (batch.isFull) this.#loop.wake()
    else await this.#admitAll(arrived, data)
  }

  /** Sends a few events at a time, each to all subscribers or none: after a failure the next pass continues after them. */
  async #send(data: TenantData, events: readonly FeedEvent[]): Promise<void> {
    const slice = new TimeSlice()
    for (let from = 0; from < events.length; ) {
      this.#rendering ??= new Rendering([...this.#subscribers].map(({ root }) => root))
      const rendering = this.#rendering
      const some = events.slice(from, from + rendering.eventsAtOnce)
      const subscribers = [...this.#subscribers]
      const rendered = await rendering.render(data, some, slice)
      for (const { stream, shape } of subscribers) {
        give(stream, rendered.get(shape))
        await slice.pause()
      }
      from += some.length
      this.#cursor = some.at(-1)?.cursor ?? this.#cursor
    }
  }

  /** Sends missed events at the subscriber's own pace. */
  async #catchUp(arrival: Arrival, data: TenantData): Promise<void> {
    const { stream } = arrival
    try {
      for (let isFull = true; isFull && !stream.isEnded; ) {
        const batch = await eventsAfter(data, arrival.cursor, maxBatchEvents)
        await stream.drained()
        await this.#sendTo(arrival, data, batch.events)
        arrival.cursor = batch.cursor
        isFull = batch.isFull
      }
      this.#arrive(arrival)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) return stream.fail(error)
      await delay(retryAfterMs, null, { ref: false })
      if (!stream.isEnded) await this.#catchUp(arrival, data)
    }
  }

  /** Sends all of the events or none. */
  async #sendTo({ stream, root, shape }: Follower, data: TenantData, events: readonly FeedEvent[]) {
    const rendering = new Rendering([root])
    const slice = new TimeSlice()
    const items: Item[] = []
    for (let from = 0; from < events.length; from += rendering.eventsAtOnce) {
      const some = events.slice(from, from + rendering.eventsAtOnce)
      const result = (await rendering.render(data, some, slice)).get(shape) ?? []
      if (result instanceof Error) return stream.fail(result)
      items.push(...result)
      await slice.pause()
    }
    stream.push(items)
  }

  #arrive(arrival: Arrival): void {
    if (arrival.stream.isEnded) return
    this.#arrivals.add(arrival)
    this.wake()
  }

  async #admitAll(arrived: readonly Arrival[], data: TenantData): Promise<void> {
    const slice = new TimeSlice()
    for (let from = 0; from < arrived.length; from += maxBatchEvents) {
      const some = arrived.slice(from, from + maxBatchEvents)
      await Promise.all(some.map((arrival) => this.#admit(arrival, data)))
      await slice.pause()
    }
  }

  /** Between two batches: sends the events that the others have got already, and adds it to the subscribers. */
  async #admit(arrival: Arrival, data: TenantData): Promise<void> {
    if (arrival.cursor === this.#cursor) {
      if (this.#arrivals.delete(arrival)) this.#add(arrival)
      return
    }
    const missed = await eventsBetween(data, arrival.cursor, this.#cursor, maxBatchEvents)
    if (!this.#arrivals.has(arrival)) return
    await this.#sendTo(arrival, data, missed.events)
    if (!this.#arrivals.delete(arrival)) return
    arrival.cursor = missed.cursor
    if (missed.isFull) void this.#catchUp(arrival, data)
    else this.#add(arrival)
  }

  #add(arrival: Arrival): void {
    if (arrival.stream.isEnded) return
    this.#subscribers.add(arrival)
    this.#rendering = null
  }

  /** Opened once for all that join at the same time: otherwise their cursors could differ. */
  #begin(): Promise<Source> {
    this.#source ??= this.#open().catch((error: unknown) => {
      this.#source = null
      throw error
    })
    return this.#source
  }

  async #open(): Promise<Source> {
    const lease = await this.#shared.tenantDatabases.lease(this.#tenant)
    try {
      const data = new TenantData(this.#tenant.id, lease.database.executorFor(this.#tenant.id))
      this.#cursor = await currentCursor(data)
      return { data, lease }
    } catch (error) {
      lease.release()
      throw error
    }
  }

  /** Ends the feed: later followers get a new feed. */
  async #end(): Promise<void> {
    await this.#loop.settled()
    const source = await this.#source?.catch(() => null)
    source?.lease.release()
  }
}

function give(stream: Stream, result: Item[] | Error | undefined): void {
  if (result instanceof Error) stream.fail(result)
  else if (result !== undefined) stream.push(result)
}

/** The feed of a tenant's events: reads and renders each event once for all subscribers of this instance. */

import { setTimeout as delay } from 'node:timers/promises'
import { TenantData } from '../../database/data.ts'
import { DatabaseUnavailable } from '../../database/executor.ts'
import { TimeSlice } from '../../database/time-slice.ts'
import { CoalescingLoop } from '../coalescing-loop.ts'
import type { Shared, Tenant } from '../context.ts'
import { tenantContext } from '../create-context.ts'
import {
  currentCursor,
  eventsAfter,
  eventsBetween,
  type FeedEvent,
  refuseForeignCursor,
} from '../events/feed.ts'
import type { Lease } from '../tenant/database-state.ts'
import { currentTenant } from '../tenant/directory.ts'
import { retryLogLevel } from '../tenant/unavailable-database.ts'
import type { Item, Stream } from './stream.ts'
import type { EventSource, Renderer, Rendering, Results, Subscriber } from './subscriber.ts'

const maxBatchEvents = 100
/** The number of joining subscribers that become active before the thread serves others. */
const maxActivatedAtOnce = 100
/** The delay after which a joining subscriber reads again from an unavailable database. */
const retryAfterMs = 1000

/** A subscriber that does not get the batches of the feed yet. It has read the events up to its own cursor. */
interface Joining {
  subscriber: Subscriber
  cursor: string
}

interface Source extends EventSource {
  lease: Lease
}

export class TenantFeed {
  readonly #shared: Shared
  readonly #tenant: Tenant
  /** All subscribers, including those that are joining. */
  readonly #subscribers = new Map<Stream, Subscriber>()
  /** Subscribers that receive the batches of the feed. */
  readonly #active = new Set<Subscriber>()
  /** Subscribers that are not active yet, by their streams. */
  readonly #joining = new Map<Stream, Joining>()
  /** The renderings for active subscribers: those with the same renderer share one. */
  readonly #renderings = new Map<Renderer, Rendering>()
  #source: Promise<Source> | null = null
  #cursor = ''
  /** The end of the newest work of `#inTurn`. Further work begins after it. */
  #lastTurn: Promise<unknown> = Promise.resolve()
  readonly #loop = new CoalescingLoop(
    () => this.#read(),
    (error) => this.#reportFailure(error),
  )

  constructor(shared: Shared, tenant: Tenant) {
    this.#shared = shared
    this.#tenant = tenant
  }

  /**
   * @returns the cursor after everything that the stream's reader has got; `null` while further results are on their
   *   way
   */
  cursorOf(stream: Stream): string | null {
    const subscriber = this.#subscribers.get(stream)
    return subscriber !== undefined && this.#active.has(subscriber) && stream.isIdle ? this.#cursor : null
  }

  get size(): number {
    return this.#subscribers.size
  }

  get subscribers(): readonly Subscriber[] {
    return [...this.#subscribers.values()]
  }

  /**
   * @param after the cursor after which to resume; `null` for events from now on
   * @throws DatabaseUnavailable; ServiceError `unavailable`, `invalid` for the cursor of another database
   */
  async join(subscriber: Subscriber, after: string | null): Promise<void> {
    const { stream } = subscriber
    this.#subscribers.set(stream, subscriber)
    const source = await this.#begin()
    const { data } = source
    if (after !== null) await refuseForeignCursor(data, after)
    const cursor = after ?? (await currentCursor(data))
    if (stream.isEnded) return
    const joining: Joining = { subscriber, cursor }
    if (after === null) this.#addJoining(joining)
    else void this.#catchUp(joining, source)
  }

  leave(stream: Stream): void {
    const subscriber = this.#subscribers.get(stream)
    this.#subscribers.delete(stream)
    this.#joining.delete(stream)
    if (subscriber !== undefined) this.#removeActive(subscriber)
    if (this.size === 0) void this.#end()
  }

  /** Called when events may have been committed. */
  wake(): void {
    if (this.size > 0) this.#loop.wake()
  }

  /**
   * If the tenant was moved, sends the last events from here and ends the streams. Clients resume in the new
   * database.
   */
  async checkDatabase(): Promise<void> {
    if (this.#source === null) return
    const { database } = (await this.#source).lease
    const { catalogueDatabase, tenantDatabases } = this.#shared
    const tenant = await currentTenant(catalogueDatabase.executor, this.#tenant.id)
    if (tenant === null) return
    if (await tenantDatabases.holds(tenant, database)) return
    this.wake()
    await this.#loop.settled()
    this.close((stream) => stream.end())
  }

  /** @param finish called for each stream */
  close(finish: (stream: Stream) => void): void {
    for (const stream of [...this.#subscribers.keys()]) finish(stream)
  }

  /** A failure leaves the cursor where it is: the next pass continues there, and no event is lost. */
  #reportFailure(error: unknown): void {
    this.#shared.log[retryLogLevel(error)](
      { err: error, tenantId: this.#tenant.id },
      'events not sent to subscribers',
    )
  }

  async #read(): Promise<void> {
    if (this.size === 0) return
    const source = await this.#begin()
    const { data } = source
    const ready = [...this.#joining.values()] // the next batch includes everything that they have read
    const batch = await eventsAfter(data, this.#cursor, maxBatchEvents)
    await this.#send(source, batch.events)
    this.#cursor = batch.cursor
    if (batch.isFull) this.#loop.wake()
    else await this.#activateAll(ready, source)
  }

  /** Sends a few events at a time, each to all subscribers or none: after a failure the next pass continues there. */
  async #send(source: EventSource, events: readonly FeedEvent[]): Promise<void> {
    const slice = new TimeSlice()
    for (let from = 0; from < events.length; ) {
      const renderings = [...this.#renderings.values()]
      const atOnce = Math.min(...renderings.map(({ eventsAtOnce }) => eventsAtOnce), maxBatchEvents)
      const some = events.slice(from, from + atOnce)
      const results: Results[] = []
      for (const rendering of renderings) results.push(await rendering.render(source, some, slice))
      for (const [subscriber, result] of results.flatMap((each) => [...each])) {
        deliver(subscriber, result)
        await slice.pause()
      }
      from += some.length
      this.#cursor = some.at(-1)?.cursor ?? this.#cursor
    }
  }

  /** Sends missed events at the subscriber's own pace. */
  async #catchUp(joining: Joining, source: EventSource): Promise<void> {
    const { stream } = joining.subscriber
    try {
      for (let isFull = true; isFull && !stream.isEnded; ) {
        const batch = await eventsAfter(source.data, joining.cursor, maxBatchEvents)
        await stream.drained()
        await this.#sendTo(joining.subscriber, source, batch.events)
        joining.cursor = batch.cursor
        isFull = batch.isFull
      }
      this.#addJoining(joining)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) return stream.fail(error)
      await delay(retryAfterMs, null, { ref: false })
      if (!stream.isEnded) await this.#catchUp(joining, source)
    }
  }

  /** Sends all of the events to one subscriber, or none of them. */
  async #sendTo(subscriber: Subscriber, source: EventSource, events: readonly FeedEvent[]): Promise<void> {
    const { stream, renderer, refusal } = subscriber
    const rendering = renderer.rendering()
    rendering.add(subscriber)
    const slice = new TimeSlice()
    const items: Item[] = []
    for (let from = 0; from < events.length; from += rendering.eventsAtOnce) {
      const some = events.slice(from, from + rendering.eventsAtOnce)
      const results = await this.#inTurn(async () =>
        stream.isEnded ? null : await rendering.render(source, some, slice),
      )
      const [own] = results ?? [] // the rendering has one subscriber
      const result = refusal() ?? own?.[1] ?? []
      if (result instanceof Error) return stream.fail(result)
      items.push(...result)
      await slice.pause()
    }
    stream.push(items)
  }

  /** Runs work one at a time: the subscribers of a tenant that join together would otherwise occupy its database. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastTurn.then(work)
    this.#lastTurn = result.catch(() => undefined)
    return result
  }

  #addJoining(joining: Joining): void {
    if (joining.subscriber.stream.isEnded) return
    this.#joining.set(joining.subscriber.stream, joining)
    this.wake()
  }

  async #activateAll(ready: readonly Joining[], source: EventSource): Promise<void> {
    const slice = new TimeSlice()
    for (let from = 0; from < ready.length; from += maxActivatedAtOnce) {
      const some = ready.slice(from, from + maxActivatedAtOnce)
      await Promise.all(some.map((joining) => this.#activate(joining, source)))
      await slice.pause()
    }
  }

  /** Sends a joining subscriber the events that active ones have, then makes it active. Runs between batches. */
  async #activate(joining: Joining, source: EventSource): Promise<void> {
    if (joining.cursor === this.#cursor) {
      if (this.#joining.delete(joining.subscriber.stream)) this.#addActive(joining)
      return
    }
    const missed = await eventsBetween(source.data, joining.cursor, this.#cursor, maxBatchEvents)
    const { stream } = joining.subscriber
    if (!this.#joining.has(stream)) return
    await this.#sendTo(joining.subscriber, source, missed.events)
    if (!this.#joining.delete(stream)) return
    joining.cursor = missed.cursor
    if (missed.isFull) void this.#catchUp(joining, source)
    else this.#addActive(joining)
  }

  #addActive({ subscriber }: Joining): void {
    const { renderer, stream } = subscriber
    if (stream.isEnded) return
    this.#active.add(subscriber)
    const rendering = this.#renderings.get(renderer) ?? renderer.rendering()
    this.#renderings.set(renderer, rendering)
    rendering.add(subscriber)
  }

  #removeActive(subscriber: Subscriber): void {
    if (!this.#active.delete(subscriber)) return
    const rendering = this.#renderings.get(subscriber.renderer)
    rendering?.remove(subscriber)
    if (rendering?.size === 0) this.#renderings.delete(subscriber.renderer)
  }

  /** Opens the database once for all subscribers that join at the same time: otherwise their cursors could differ. */
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
      const context = tenantContext(this.#shared, this.#tenant, lease.database)
      return { data, context, lease }
    } catch (error) {
      lease.release()
      throw error
    }
  }

  /** Ends the feed: later subscribers get a new one. */
  async #end(): Promise<void> {
    await this.#loop.settled()
    const source = await this.#source?.catch(() => null)
    source?.lease.release()
  }
}

function deliver({ stream, refusal }: Subscriber, given: readonly Item[] | Error): void {
  const result = refusal() ?? given
  if (result instanceof Error) stream.fail(result)
  else stream.push(result)
}

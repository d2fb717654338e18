/** Follows the events of one tenant for all its subscribers on this instance: read once, rendered once. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Lease, Shared, Tenant } from '../../context.ts'
import { CatalogueData, TenantData } from '../../database/data.ts'
import { DatabaseUnavailable } from '../../database/executor.ts'
import {
  eventsAfter,
  eventsBetween,
  type FeedEvent,
  presentMark,
  refuseForeignMark,
} from '../../event/feed.ts'
import { currentTenant } from '../../tenant/lookup.ts'
import type { Root } from '../document/plan.ts'
import { readRow } from '../field/read.ts'
import type { Item, Stream } from './stream.ts'

export type SubscriptionRoot = Extract<Root, { kind: 'subscription' }>

const mostAtOnce = 100
/** Somebody who catches up asks a database that is away again so much later. */
const retryAfterMs = 1000

interface Subscriber {
  stream: Stream
  root: SubscriptionRoot
}

/** Somebody who has read by itself up to a mark, or begins there, and is to go on with the others. */
interface Arrival extends Subscriber {
  mark: string
}

interface Source {
  data: TenantData
  lease: Lease
}

export class TenantFeed {
  readonly #shared: Shared
  readonly #tenant: Tenant
  /** Whoever is here, from the first moment on. */
  readonly #streams = new Set<Stream>()
  readonly #subscribers = new Set<Subscriber>()
  readonly #arrivals = new Set<Arrival>()
  #source: Promise<Source> | null = null
  #mark = ''
  #running: Promise<void> | null = null
  #again = false

  constructor(shared: Shared, tenant: Tenant) {
    this.#shared = shared
    this.#tenant = tenant
  }

  get size(): number {
    return this.#streams.size
  }

  /**
   * @param after a mark to resume behind; `null` for what comes from now on
   * @throws DatabaseUnavailable; ServiceError `unavailable`, `invalid` for a mark that is not of this place
   */
  async join(stream: Stream, root: SubscriptionRoot, after: string | null): Promise<void> {
    this.#streams.add(stream)
    const { data } = await this.#begin()
    if (after !== null) await refuseForeignMark(data, after)
    const mark = after ?? (await presentMark(data))
    if (stream.isEnded) return
    const arrival: Arrival = { stream, root, mark }
    if (after === null) this.#arrive(arrival)
    else void this.#catchUp(arrival, data)
  }

  leave(stream: Stream): void {
    this.#streams.delete(stream)
    for (const among of [this.#subscribers, this.#arrivals]) {
      for (const each of among) if (each.stream === stream) among.delete(each)
    }
    if (this.size === 0) void this.#end()
  }

  /** Something may have been committed. */
  wake(): void {
    if (this.size === 0) return
    this.#again = true
    this.#running ??= this.#run()
  }

  /** Where the tenant has moved, its streams end behind what was committed here; who comes again goes on there. */
  async checkPlace(): Promise<void> {
    if (this.#source === null) return
    const { database } = (await this.#source).lease
    const { catalogueDatabase, tenantDatabases } = this.#shared
    const tenant = await currentTenant(new CatalogueData(catalogueDatabase.executor), this.#tenant.id)
    if (tenant === null) return
    if (await tenantDatabases.holds(tenant, database)) return
    this.wake()
    await this.#running
    this.close((stream) => stream.end())
  }

  /** @param finish called for each stream */
  close(finish: (stream: Stream) => void): void {
    for (const stream of [...this.#streams]) finish(stream)
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && this.size > 0) {
        this.#again = false
        await this.#read((await this.#begin()).data)
      }
    } catch (error) {
      // The mark stays where it is: nothing is lost, and the next look goes on there.
      this.#shared.log.warn({ err: error, tenantId: this.#tenant.id }, 'events not followed')
    }
    this.#running = null
  }

  /** Renders a batch side by side: one after the other, a busy database would make the feed fall behind. */
  async #read(data: TenantData): Promise<void> {
    const arrived = [...this.#arrivals] // the batch that is read now has all that they have read
    const batch = await eventsAfter(data, this.#mark, mostAtOnce)
    await this.#tell(data, batch.events)
    this.#mark = batch.mark
    if (batch.isFull) this.#again = true
    else await Promise.all(arrived.map((arrival) => this.#admit(arrival, data)))
  }

  /** All of them to all, or nothing: after a failure they are told again. */
  async #tell(data: TenantData, events: FeedEvent[]): Promise<void> {
    const rendered = new Map<SubscriptionRoot, Item[]>()
    for (const { root } of this.#subscribers) rendered.set(root, [])
    for (const root of rendered.keys()) rendered.set(root, await renderAll(data, root, events))
    for (const { stream, root } of this.#subscribers) {
      const items = rendered.get(root) ?? []
      if (items.length > 0) stream.push(items)
    }
  }

  /** At its own pace, whatever it missed. */
  async #catchUp(arrival: Arrival, data: TenantData): Promise<void> {
    const { stream, root } = arrival
    try {
      for (let isFull = true; isFull && !stream.isEnded; ) {
        const batch = await eventsAfter(data, arrival.mark, mostAtOnce)
        await stream.drained()
        stream.push(await renderAll(data, root, batch.events))
        arrival.mark = batch.mark
        isFull = batch.isFull
      }
      this.#arrive(arrival)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) return stream.fail(error)
      await delay(retryAfterMs, null, { ref: false })
      if (!stream.isEnded) await this.#catchUp(arrival, data)
    }
  }

  #arrive(arrival: Arrival): void {
    if (arrival.stream.isEnded) return
    this.#arrivals.add(arrival)
    this.wake()
  }

  /** Between two batches: what it has not read of what the others have, and from there on it is one of them. */
  async #admit(arrival: Arrival, data: TenantData): Promise<void> {
    const { stream, root } = arrival
    if (arrival.mark === this.#mark) {
      if (this.#arrivals.delete(arrival) && !stream.isEnded) this.#subscribers.add(arrival)
      return
    }
    const missed = await eventsBetween(data, arrival.mark, this.#mark, mostAtOnce)
    const items = await renderAll(data, root, missed.events)
    if (!this.#arrivals.delete(arrival)) return
    stream.push(items)
    arrival.mark = missed.mark
    if (missed.isFull) void this.#catchUp(arrival, data)
    else if (!stream.isEnded) this.#subscribers.add(arrival)
  }

  /** Once for all who join at the same time: a mark of one of them could be before or behind what another was told. */
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
      const data = new TenantData(this.#tenant.id, lease.database.executor)
      this.#mark = await presentMark(data)
      return { data, lease }
    } catch (error) {
      lease.release()
      throw error
    }
  }

  /** Nobody comes back: whoever follows next gets a feed of its own. */
  async #end(): Promise<void> {
    await this.#running
    const source = await this.#source?.catch(() => null)
    source?.lease.release()
  }
}

/** @returns `null` when the row is gone by now */
async function render(
  data: TenantData,
  { as, field, selection }: SubscriptionRoot,
  event: FeedEvent,
): Promise<Item | null> {
  const id = field.idOf(JSON.parse(event.data) as never) // held to the schema of its type when it was published
  const row = await readRow(data, { entity: field.entity, selection, id })
  return row === null ? null : { text: `{"data":{"${as}":${row}}}`, mark: event.mark }
}

async function renderAll(data: TenantData, root: SubscriptionRoot, events: FeedEvent[]): Promise<Item[]> {
  const wanted = events.filter(({ type }) => type === root.field.event)
  const items = await Promise.all(wanted.map((event) => render(data, root, event)))
  return items.filter((item) => item !== null)
}

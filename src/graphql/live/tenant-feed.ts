/** Follows the events of one tenant for all its subscribers on this instance: read once, rendered once. */
import type { Lease, Shared, Tenant } from '../../context.ts'
import { CatalogueData, TenantData } from '../../database/data.ts'
import { eventsAfter, type FeedEvent, presentMark } from '../../event/feed.ts'
import { currentTenant } from '../../tenant/lookup.ts'
import type { Root } from '../document/plan.ts'
import { readRow } from '../field/read.ts'
import type { Item, Stream } from './stream.ts'

export type SubscriptionRoot = Extract<Root, { kind: 'subscription' }>

const mostAtOnce = 100

interface Subscriber {
  stream: Stream
  root: SubscriptionRoot
  /** While it catches up: what has come in the meantime. */
  meanwhile: FeedEvent[] | null
}

export class TenantFeed {
  readonly #shared: Shared
  readonly #tenant: Tenant
  readonly #subscribers = new Set<Subscriber>()
  #lease: Promise<Lease> | null = null
  #mark: string | null = null
  #running: Promise<void> | null = null
  #again = false

  constructor(shared: Shared, tenant: Tenant) {
    this.#shared = shared
    this.#tenant = tenant
  }

  get isEmpty(): boolean {
    return this.#subscribers.size === 0
  }

  /**
   * @param after a mark to resume behind; `null` for what comes from now on
   * @throws DatabaseUnavailable, ServiceError `unavailable`
   */
  async join(stream: Stream, root: SubscriptionRoot, after: string | null): Promise<void> {
    const data = await this.#data()
    this.#mark ??= await presentMark(data)
    const subscriber: Subscriber = { stream, root, meanwhile: after === null ? null : [] }
    this.#subscribers.add(subscriber)
    if (after !== null) void this.#catchUp(subscriber, data, after)
  }

  leave(stream: Stream): void {
    for (const subscriber of this.#subscribers) {
      if (subscriber.stream === stream) this.#subscribers.delete(subscriber)
    }
    if (this.isEmpty) void this.#release()
  }

  /** Something may have been committed. */
  wake(): void {
    if (this.isEmpty) return
    this.#again = true
    this.#running ??= this.#run()
  }

  /** Where the tenant has moved, its streams end behind what was committed here; who comes again goes on there. */
  async checkPlace(): Promise<void> {
    if (this.#lease === null) return
    const { database } = await this.#lease
    const { catalogueDatabase, tenantDatabases } = this.#shared
    const tenant = await currentTenant(new CatalogueData(catalogueDatabase.executor), this.#tenant.id)
    if (tenant === null) return
    const lease = await tenantDatabases.lease(tenant)
    lease.release()
    if (lease.database === database) return
    this.wake()
    await this.#running
    this.close((stream) => stream.end())
  }

  /** @param finish called for each stream */
  close(finish: (stream: Stream) => void): void {
    for (const { stream } of [...this.#subscribers]) finish(stream)
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && !this.isEmpty) {
        this.#again = false
        await this.#read()
      }
    } catch (error) {
      // The mark stays where it is: nothing is lost, and the next look goes on there.
      this.#shared.log.warn({ err: error, tenantId: this.#tenant.id }, 'events not followed')
    }
    this.#running = null
  }

  async #read(): Promise<void> {
    const data = await this.#data()
    if (this.#mark === null) return
    const batch = await eventsAfter(data, this.#mark, mostAtOnce)
    for (const event of batch.events) {
      await this.#tell(data, event)
      this.#mark = event.mark
    }
    this.#mark = batch.mark
    if (batch.isFull) this.#again = true
  }

  async #tell(data: TenantData, event: FeedEvent): Promise<void> {
    const items = new Map<SubscriptionRoot, Item | null>()
    for (const { stream, root, meanwhile } of [...this.#subscribers]) {
      if (root.field.event !== event.type) continue
      if (meanwhile !== null) {
        meanwhile.push(event)
        continue
      }
      let item = items.get(root)
      if (item === undefined) {
        item = await render(data, root, event)
        items.set(root, item)
      }
      if (item !== null) stream.push(item)
    }
  }

  /** What it missed, and then what has come while that was read; an event of both is told once. */
  async #catchUp(subscriber: Subscriber, data: TenantData, after: string): Promise<void> {
    const { stream, root } = subscriber
    const told = new Set<string>()
    const tell = async (event: FeedEvent): Promise<void> => {
      if (root.field.event !== event.type || told.has(event.id)) return
      told.add(event.id)
      const item = await render(data, root, event)
      if (item !== null) stream.push(item)
    }
    try {
      let mark = after
      for (let isFull = true; isFull && !stream.isEnded; ) {
        const batch = await eventsAfter(data, mark, mostAtOnce)
        for (const event of batch.events) await tell(event)
        mark = batch.mark
        isFull = batch.isFull
      }
      for (
        let event = subscriber.meanwhile?.shift();
        event !== undefined;
        event = subscriber.meanwhile?.shift()
      ) {
        await tell(event)
      }
      subscriber.meanwhile = null
    } catch (error) {
      stream.fail(error) // it comes back with the mark that it has
    }
  }

  async #data(): Promise<TenantData> {
    this.#lease ??= Promise.resolve(this.#shared.tenantDatabases.lease(this.#tenant))
    try {
      const { database } = await this.#lease
      return new TenantData(this.#tenant.id, database.executor)
    } catch (error) {
      this.#lease = null
      throw error
    }
  }

  async #release(): Promise<void> {
    const lease = this.#lease
    this.#lease = null
    this.#mark = null
    await this.#running
    if (lease !== null) (await lease).release()
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

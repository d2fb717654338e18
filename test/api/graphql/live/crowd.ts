/** Followers of one tenant who come, leave and resume while orders are placed and transactions stay open. */
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../../../support/client.ts'
import type { DatabaseName } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { EventReader, orderIn } from '../../../support/graphql/event-reader.ts'
import { openShop, type Shop } from '../../../support/graphql/order-subscription.ts'
import type { TestService } from '../../../support/service.ts'
import { HeldEvents } from './held-events.ts'

export const kinds = ['begin', 'commit', 'order', 'rush', 'join', 'resume', 'drop', 'wait'] as const

/** A step, of one of a few transactions or followers. */
export type Step = [kind: (typeof kinds)[number], which: number]

const rushSize = 7
const allToldMs = 15_000

export class Crowd implements AsyncDisposable {
  readonly #user: Client
  readonly #shop: Shop
  readonly #held: HeldEvents
  /** Orders for transactions of the test, on a database that runs several at a time. */
  readonly #prepared: string[]
  readonly #open = new Map<number, () => Promise<void>>()
  readonly #first: Follower
  readonly #followers = new Map<number, Follower>()
  readonly #expected: string[] = []
  readonly #working: Promise<unknown>[] = []

  private constructor(user: Client, shop: Shop, held: HeldEvents, prepared: string[]) {
    this.#user = user
    this.#shop = shop
    this.#held = held
    this.#prepared = prepared
    this.#first = new Follower(user, null)
  }

  static async gather(service: TestService, database: DatabaseName, most: number): Promise<Crowd> {
    const { id, user } = await service.newTenant()
    const shop = await openShop(user)
    const prepared = await shop.rush(database === 'postgres' ? most : 0)
    const crowd = new Crowd(user, shop, new HeldEvents(service.config.databaseUrl, id), prepared)
    await crowd.#first.join()
    return crowd
  }

  /** Does not wait for what may overlap the next steps. */
  async take(kind: Step[0], which: number): Promise<void> {
    const steps: Record<Step[0], () => Promise<unknown>> = {
      begin: () => this.#begin(which),
      commit: () => this.#commit(which),
      order: async () => this.#expected.push(await this.#shop.order()),
      rush: () => this.#later(this.#shop.rush(rushSize).then((ids) => this.#expected.push(...ids))),
      join: () => this.#join(which, null),
      resume: () => this.#join(which, this.#first.markBefore(which)),
      drop: () => this.#later(this.#followers.get(which)?.drop()),
      wait: () => delay(which * 3),
    }
    await steps[kind]()
  }

  async assertAllTold(): Promise<void> {
    await Promise.all(this.#working)
    for (const which of [...this.#open.keys()]) await this.#commit(which)
    await Promise.all(this.#working)
    this.#expected.push(await this.#shop.order())
    const all = this.#expected.toSorted()
    await this.#first.hears(all)
    assert.deepEqual(this.#first.told.toSorted(), all)
    for (const follower of this.#followers.values()) {
      const behind = this.#first.told.slice(this.#first.placeOf(follower.after) + 1)
      const expected = follower.after === null ? all.slice(-1) : behind.toSorted()
      await follower.hears(expected)
      // One that began somewhere in between was told of some others too, each once.
      const told = follower.after === null ? [...new Set(follower.told)].toSorted() : expected
      assert.deepEqual(follower.told.toSorted(), told)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#working)
    for (const commit of this.#open.values()) await commit()
    for (const follower of [this.#first, ...this.#followers.values()]) await follower.close()
    await this.#held[Symbol.asyncDispose]()
  }

  async #begin(which: number): Promise<void> {
    const order = this.#open.has(which) ? undefined : this.#prepared.pop()
    if (order === undefined) return
    this.#open.set(which, await this.#held.hold(order))
    this.#expected.push(order)
  }

  async #commit(which: number): Promise<void> {
    const commit = this.#open.get(which)
    this.#open.delete(which)
    await this.#later(commit?.())
  }

  async #join(which: number, mark: string | null): Promise<void> {
    if (this.#followers.has(which)) return
    const follower = new Follower(this.#user, mark)
    this.#followers.set(which, follower)
    await this.#later(follower.join())
  }

  async #later(work: Promise<unknown> | undefined): Promise<void> {
    if (work !== undefined) this.#working.push(work)
  }
}

class Follower {
  readonly after: string | null
  readonly #user: Client
  readonly #told: { order: string; mark: string }[] = []
  #reader: EventReader | null = null
  #busy: Promise<void> = Promise.resolve()

  /** @param after the id of the event after which it begins */
  constructor(user: Client, after: string | null) {
    this.#user = user
    this.after = after
  }

  get told(): string[] {
    this.#collect()
    return this.#told.map(({ order }) => order)
  }

  join(): Promise<void> {
    this.#busy = this.#busy.then(() => this.#open())
    return this.#busy
  }

  /** And resumes after its last event; a follower without one stays. */
  drop(): Promise<void> {
    this.#busy = this.#busy.then(async () => {
      this.#collect()
      if (this.#mark === null) return
      await this.#reader?.close()
      await this.#open()
    })
    return this.#busy
  }

  close(): Promise<void> {
    return this.#reader?.close() ?? Promise.resolve()
  }

  async hears(orders: readonly string[]): Promise<void> {
    const heardAll = async () => orders.every((order) => this.told.includes(order))
    await eventually('all orders', allToldMs, heardAll)
    await delay(30)
  }

  /** The id of the event so many orders ago, if there is one. */
  markBefore(count: number): string | null {
    this.#collect()
    return this.#told.at(-1 - count)?.mark ?? null
  }

  placeOf(mark: string | null): number {
    return this.#told.findIndex((each) => each.mark === mark)
  }

  get #mark(): string | null {
    return this.#told.at(-1)?.mark ?? this.after
  }

  async #open(): Promise<void> {
    this.#collect()
    this.#reader = await EventReader.open(this.#user, { after: this.#mark })
  }

  #collect(): void {
    const events = this.#reader?.inbox.drain() ?? []
    this.#told.push(...events.map((event) => ({ order: orderIn(event), mark: event.id ?? '' })))
  }
}

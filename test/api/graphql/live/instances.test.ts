/** Two instances on one PostgreSQL: followers of one get events written on the other, and can resume there. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Client } from '../../../support/client.ts'
import { inspect } from '../../../support/database/inspect.ts'
import { EventReader, orderIn, type ServerEvent } from '../../../support/graphql/event-reader.ts'
import { openShop } from '../../../support/graphql/order-subscription.ts'
import { startInstance } from '../../../support/instance.ts'
import { newMasterKey } from '../../../support/master-key.ts'
import { newProduct } from '../../../support/orders.ts'
import { Workplace } from '../../../support/process/workplace.ts'
import { startService } from '../../../support/service.ts'

/** So that nothing is found by looking: the instances tell each other. */
const never = { subscriptionSweepMs: 3_600_000 }

it('An order on either of two instances reaches the subscribers of both, without their looking for it', async () => {
  const service = await startService('postgres', {}, never)
  const other = await startInstance(service, never)
  try {
    const tenant = await service.newTenant()
    const there = new Client(other.anonymous.baseUrl, { ...tenant.user.headers })
    const shop = await openShop(tenant.user)
    await using reader = await EventReader.open(tenant.user)
    await using readerThere = await EventReader.open(there)
    for (const by of [tenant.user, there, tenant.user, there]) {
      const order = await shop.order(by)
      assert.deepEqual([await reader.next(), await readerThere.next()].map(orderIn), [order, order])
    }
    const rush = await Promise.all(
      Array.from({ length: 20 }, (_each, n) => shop.order(n % 2 ? there : tenant.user)),
    )
    for (const each of [reader, readerThere]) {
      assert.deepEqual((await each.inbox.take(20)).map(orderIn).toSorted(), rush.toSorted())
    }
  } finally {
    await other.stop()
    await service.stop()
  }
})

const orders = 'subscription { onOrderCreated { id } }'
const dearProducts = 'subscription { onProductCreated(where: { price: { gte: 50 } }) { id } }'

it('Subscribers of an instance that is killed go on at the other: nothing is lost, nothing comes twice', async () => {
  await using held = new AsyncDisposableStack()
  const MASTER_KEY = newMasterKey()
  const living = await startService('postgres', { MASTER_KEY })
  held.defer(() => living.stop())
  const { databaseUrl } = living.config
  await using place = new Workplace({ DATABASE_URL: databaseUrl, MASTER_KEY })
  const dying = await place.serve()
  const far = living.host
  const near = new Client(dying.url, { ...far.headers })
  const shop = await openShop(far)
  const followers = [new Follower(orders), new Follower(dearProducts)]
  await Promise.all(followers.map((follower) => follower.begin(near)))
  let isOver = false
  const write = async (by: Client): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      await shop.order(by).catch(() => null)
      await newProduct(by, { price: turn % 2 === 0 ? 49.99 : 50 }).catch(() => null)
    }
  }
  const writing = [near, far].map(write)
  await Promise.all(followers.map((follower) => follower.take(20)))
  assert.equal((await dying.kill()).signal, 'SIGKILL')
  await Promise.all(followers.map((follower) => follower.resume(far)))
  await Promise.all(followers.map((follower) => follower.take(20)))
  isOver = true
  await Promise.all(writing)
  const last = [await shop.order(far), (await newProduct(far, { price: 50 })).id]
  await Promise.all(followers.map((follower, index) => follower.takeUntil(last[index] ?? '')))
  await Promise.all(followers.map((follower) => follower.close()))
  const ordered = await inspect(databaseUrl, 'SELECT id FROM sales_order')
  const dear = await inspect(databaseUrl, 'SELECT id FROM product WHERE price >= 50')
  const made = [ordered, dear].map((rows) => rows.map(({ id }) => String(id)).toSorted())
  assert.deepEqual(
    followers.map(({ told }) => told.toSorted()),
    made,
  )
})

/** Resumes on another instance after the last event that it was told of. */
class Follower {
  readonly #query: string
  readonly #events: ServerEvent[] = []
  #reader: EventReader | null = null

  constructor(query: string) {
    this.#query = query
  }

  /** Ids of rows. */
  get told(): string[] {
    return this.#events.map(idIn)
  }

  async begin(client: Client, after: string | null = null): Promise<void> {
    this.#reader = await EventReader.open(client, { query: this.#query, after })
  }

  async resume(client: Client): Promise<void> {
    await this.#reader?.ended
    this.#events.push(...(this.#reader?.inbox.drain() ?? []))
    await this.begin(client, this.#events.at(-1)?.id ?? assert.fail())
  }

  async take(count: number): Promise<void> {
    this.#events.push(...((await this.#reader?.inbox.take(count)) ?? []))
  }

  async takeUntil(id: string): Promise<void> {
    while (this.told.at(-1) !== id) await this.take(1)
  }

  async close(): Promise<void> {
    await this.#reader?.close()
  }
}

function idIn({ data }: ServerEvent): string {
  const [row] = Object.values<{ id: string }>(data?.data ?? {})
  return row?.id ?? assert.fail(JSON.stringify(data))
}

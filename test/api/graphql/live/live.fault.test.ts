/** Which followers get which events, and that a stuck follower does not delay others. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type FutureDatabase, futureDatabase } from '../../../support/database/future-database.ts'
import { Wire } from '../../../support/database/wire.ts'
import { createPostgresDatabase, onEachDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { EventReader, orderIn } from '../../../support/graphql/event-reader.ts'
import { openShop } from '../../../support/graphql/order-subscription.ts'
import { RawSocket } from '../../../support/graphql/raw-socket.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

/** So that nothing is found by looking: subscribers are woken by what is written. */
const never = { subscriptionSweepMs: 3_600_000 }

onEachDatabase('Subscribers', (database) => {
  let service: TestService
  let future: FutureDatabase
  before(async () => {
    service = await startService(database, {}, never)
    future = await futureDatabase()
  })
  after(async () => {
    await service.stop()
    await future.drop()
  })

  it('of two tenants are told of their own orders only', async () => {
    const tenants = [await service.newTenant(), await service.newTenant()] as const
    const shops = await Promise.all(tenants.map(({ user }) => openShop(user)))
    const readers = await Promise.all(tenants.map(({ user }) => EventReader.open(user)))
    const first = await Promise.all(shops.map((shop) => shop.order()))
    const marked = await Promise.all(readers.map((reader) => reader.next()))
    assert.deepEqual(marked.map(orderIn), first)
    const mine = await Promise.all(shops.map((shop) => shop.rush(30)))
    for (const [place, reader] of readers.entries()) {
      const told = (await reader.inbox.take(30)).map(orderIn)
      assert.deepEqual(told.toSorted(), mine[place]?.toSorted())
      assert.equal(await reader.inbox.nextWithin(100), null)
      await reader.close()
    }
    // A mark of one tenant shows another one nothing but its own.
    for (const [place, { user }] of tenants.entries()) {
      await using stranger = await EventReader.open(user, { after: marked[1 - place]?.id ?? '' })
      const last = (await shops[place]?.order()) ?? ''
      const told: string[] = []
      while (!told.includes(last)) told.push(orderIn(await stranger.next()))
      const behind = [...(mine[place] ?? []), last]
      // The other one's first order may have come before its own one, or after it.
      assert.deepEqual(told.filter((id) => id !== first[place]).toSorted(), behind.toSorted())
      assert.equal(await stranger.inbox.nextWithin(100), null)
    }
  })

  const places: [string, () => string][] = [
    ['a SQLite file', () => `sqlite:live-${database}.db`],
    ['a PostgreSQL database', () => future.url],
  ]
  for (const [place, connectionString] of places) {
    it(`of a tenant with a database of its own, ${place}, are told of what is written there`, async () => {
      const tenant = await service.newTenant({ connectionString: connectionString() })
      const address = `/api/tenants/${tenant.id}/database`
      await eventually('the database', 20_000, async () => {
        return (await service.host.get(address)).body.status === 'ready'
      })
      const shop = await openShop(tenant.user)
      await using reader = await EventReader.open(tenant.user)
      const orders = await shop.orders(3)
      const told = await reader.inbox.take(3)
      assert.deepEqual(told.map(orderIn), orders)
      await reader.close()
      const missed = await shop.rush(110)
      await using resumed = await EventReader.open(tenant.user, { after: told[2]?.id ?? '' })
      assert.deepEqual((await resumed.inbox.take(110)).map(orderIn).toSorted(), missed.toSorted())
      const later = await shop.order()
      assert.equal(orderIn(await resumed.next()), later)
    })
  }

  it('that do not read are cut, and the others go on', async () => {
    const tenant = await service.newTenant()
    const shop = await openShop(tenant.user)
    const fields = Array.from({ length: 190 }, (_each, place) => `field${place}: customerId`)
    const query = `subscription { onOrderCreated { id ${fields.join(' ')} } }`
    const authorization = tenant.user.headers['authorization']
    await using slow = await RawSocket.enter(service.url, { authorization })
    slow.subscribe('1', query)
    await using quick = await EventReader.open(tenant.user, { query })
    await using slowReader = await pausedReader(tenant, query)
    await eventually('three subscriptions', soonMs, async () => service.service.subscriptions.count === 3)
    slow.socket.pause()
    // It cannot answer the pings that it does not read: a slow machine would end it for that first.
    const living = setInterval(() => slow.socket.pong(), 1000).unref()
    let made = 0
    while (service.service.subscriptions.count > 1) {
      assert.ok(made < 20_000, 'somebody who reads nothing is still told')
      await shop.rush(100)
      made += 100
    }
    const told = await quick.inbox.take(made)
    assert.equal(new Set(told.map(orderIn)).size, made)
    slow.socket.resume()
    clearInterval(living)
    let last = await slow.inbox.next()
    while (last.type === 'next') last = await slow.inbox.next()
    assert.equal(last.type, 'error')
    assert.equal(last.payload[0].extensions.code, 'SUBSCRIBER_TOO_SLOW')
    assert.match(await slowReader.text(), /SUBSCRIBER_TOO_SLOW"\}\}\]\}\n\nevent: complete\ndata:\n\n$/)
  })
})

describe('While PostgreSQL is gone', () => {
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
  let wire: Wire
  let service: TestService
  before(async () => {
    postgres = await createPostgresDatabase()
    wire = await Wire.to(postgres.url)
    service = await startService('sqlite', { DATABASE_URL: wire.url })
  })
  after(async () => {
    await wire.mend()
    await service.stop()
    await wire.cut()
    await postgres.drop()
  })

  it('subscribers wait, and are told of everything afterwards', async () => {
    const tenant = await service.newTenant()
    const shop = await openShop(tenant.user)
    await using early = await EventReader.open(tenant.user)
    const orders = await shop.orders(2)
    const { id: mark } = await early.next()
    for (let outage = 0; outage < 2; outage++) {
      const rush = Promise.allSettled(Array.from({ length: 10 }, () => shop.order()))
      await delay(5)
      await wire.cut()
      const during = EventReader.open(tenant.user, { after: mark }).catch(() => null)
      await delay(1000)
      await wire.mend()
      for (const outcome of await rush) if (outcome.status === 'fulfilled') orders.push(outcome.value)
      await (await during)?.close()
      await eventually('orders', 10_000, async () => {
        return shop.order().then(
          (id) => orders.push(id) > 0,
          () => false,
        )
      })
    }
    // One whose answer was lost may have been made all the same.
    const { body } = await tenant.user.get('/api/orders')
    const all: string[] = body.map(({ id }: { id: string }) => id)
    assert.deepEqual(
      orders.filter((id) => !all.includes(id)),
      [],
    )
    const told = (await early.inbox.take(all.length - 1)).map(orderIn)
    assert.deepEqual([all[0], ...told].toSorted(), all.toSorted())
    assert.equal(await early.inbox.nextWithin(1500), null)
    await using late = await EventReader.open(tenant.user, { after: mark })
    assert.deepEqual((await late.inbox.take(told.length)).map(orderIn).toSorted(), told.toSorted())
  })
})

/** Over server-sent events, and never reading until it is told to. */
async function pausedReader({ user }: TestTenant, query: string) {
  const gone = new AbortController()
  const response = await fetch(`${user.baseUrl}/graphql?query=${encodeURIComponent(query)}`, {
    headers: { ...user.headers, accept: 'text/event-stream' },
    signal: gone.signal,
  })
  return {
    text: () => response.text(),
    [Symbol.asyncDispose]: async () => gone.abort(),
  }
}

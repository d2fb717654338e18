/** GraphQL as server-sent events, in the protocol GraphQL over SSE. */
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { createClient } from 'graphql-sse'
import { onEitherDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { EventReader, orderIn } from '../../../support/graphql/event-reader.ts'
import { openShop, type Shop } from '../../../support/graphql/order-subscription.ts'
import { onOrderCreated } from '../../../support/graphql/raw-socket.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

/** What a subscription is not told within so long may have been before it. */
const lateMs = 100

onEitherDatabase('GraphQL over server-sent events', (database) => {
  let service: TestService
  let tenant: TestTenant
  let shop: Shop
  before(async () => {
    service = await startService(database, {}, { keepAliveMs: 100 })
    tenant = await service.newTenant()
    shop = await openShop(tenant.user)
  })
  after(() => service.stop())

  const noneLeft = () =>
    eventually('the end of all subscriptions', soonMs, async () => service.service.subscriptions.count === 0)

  it('serves the client graphql-sse: a query, a mutation, and a subscription that hears of it', async () => {
    const headers = tenant.user.headers
    const client = createClient({ url: `${service.url}/graphql`, headers, retryAttempts: 0 })
    const heard = client.iterate<{ onOrderCreated: { id: string } }>({ query: onOrderCreated })
    const first = heard.next()
    await eventually('a subscription', soonMs, async () => service.service.subscriptions.count === 1)
    const asked = client.iterate<{ products: { id: string }[] }>({ query: '{ products { id } }' })
    const productId = (await asked.next()).value?.data?.products[0]?.id
    const query = 'mutation Order($input: CreateOrderInput!) { createOrder(input: $input) { id number } }'
    const variables = { input: { customerId: 'c', items: [{ productId, quantity: 2 }] } }
    const made: unknown[] = []
    // The protocol does not say when a subscription has begun: what came before it is not told.
    for (let told: unknown = null; told === null; told = await Promise.race([first, delay(lateMs, null)]))
      made.push((await client.iterate({ query, variables }).next()).value?.data?.['createOrder'])
    const order = (await first).value?.data?.onOrderCreated
    assert.ok(made.some((each) => isDeepStrictEqual(each, order)))
    await heard.return?.()
    client.dispose()
    await noneLeft()
  })

  it('ends a query with complete, and answers what is not valid with 400 and JSON', async () => {
    const accept = 'text/event-stream'
    const query = await tenant.user.post('/graphql', { query: '{ me { userName } }' }, { accept })
    assert.equal(
      query.text,
      'event: next\ndata: {"data":{"me":{"userName":"worker"}}}\n\nevent: complete\ndata:\n\n',
    )
    for (const text of ['{ nothing }', 'subscription { nothing }', '{']) {
      const refused = await tenant.user.post('/graphql', { query: text }, { accept })
      assert.equal(refused.status, 400, text)
      assert.ok(refused.body.errors[0].extensions.code, text)
    }
    const byGet = await fetch(`${service.url}/graphql?query=${encodeURIComponent('{ me { id } }')}`, {
      headers: { ...tenant.user.headers, accept },
    })
    assert.match(await byGet.text(), /^event: next\ndata: \{"data"/)
  })

  it('tells somebody without a token in the stream that nothing is told', async () => {
    await using reader = await EventReader.open(service.anonymous)
    assert.equal((await reader.next()).data.errors[0].extensions.code, 'AUTH_NOT_AUTHENTICATED')
    assert.deepEqual(await reader.inbox.next(), { event: 'complete', id: null, data: null })
    await reader.ended
  })

  it('says something while nothing happens, so that no proxy ends the connection', async () => {
    const address = `${service.url}/graphql?query=${encodeURIComponent(onOrderCreated)}`
    const headers = { ...tenant.user.headers, accept: 'text/event-stream' }
    const text = await new Promise<string>((resolve) => {
      let heard = ''
      const asked = get(address, { headers }, (response) => {
        response.on('data', (chunk) => {
          heard += chunk
          if (heard.length < 9) return
          asked.destroy()
          resolve(heard)
        })
      })
    })
    assert.equal(text, ':\n\n:\n\n:\n\n')
    await noneLeft()
  })

  it('frees the place of a client that goes away, however early', async () => {
    for (const headers of [{}, { 'last-event-id': '0' }] as Record<string, string>[]) {
      for (const afterMs of [0, 1, 2, 5, 10, 20, 50]) {
        const asked = fetch(`${service.url}/graphql?query=${encodeURIComponent(onOrderCreated)}`, {
          headers: { ...tenant.user.headers, ...headers, accept: 'text/event-stream' },
          signal: AbortSignal.timeout(afterMs),
        })
        await asked.then((response) => response.text()).catch(() => null)
      }
    }
    await noneLeft()
  })

  for (const missed of [0, 1, 110]) {
    it(`goes on behind Last-Event-ID with ${missed} orders missed, and loses none of the next ones`, async () => {
      await using first = await EventReader.open(tenant.user)
      await shop.order()
      const { id: mark } = await first.next()
      await first.close()
      const orders = await shop.rush(missed)
      await using second = await EventReader.open(tenant.user, { after: mark })
      orders.push(...(await shop.rush(20)))
      const told = await second.inbox.take(orders.length)
      assert.deepEqual(told.map(orderIn).toSorted(), orders.toSorted())
      await using third = await EventReader.open(tenant.user, { after: mark })
      const again = await third.inbox.take(orders.length)
      assert.deepEqual(
        again.map(({ data }) => data),
        told.map(({ data }) => data),
      )
    })
  }

  it('refuses a mark that is not of this database, and says so', async () => {
    await using first = await EventReader.open(tenant.user)
    await shop.order()
    const { id } = await first.next()
    await first.close()
    assert.ok(id)
    const foreign =
      database === 'sqlite'
        ? ['7514000000000000000/700:700:', '-1', '1.5', '99999999999999999999', `${id}/1`]
        : [
            id.replace(/^\d+/, (server) => `${BigInt(server) + 1n}`),
            id.replace(/^\d+\//, ''),
            '1763787600000000',
            `${id}/1/2/3/4/5/6/7`,
            id.replace(/:\d+:/, ':1:'),
          ]
    for (const mark of [...foreign, 'nothing', "'; DROP TABLE event", '/', 'x'.repeat(10_000)]) {
      await using reader = await EventReader.open(tenant.user, { after: mark })
      const { data } = await reader.next()
      assert.deepEqual([data.data, data.errors[0].extensions.code], [undefined, 'BAD_USER_INPUT'], mark)
      assert.match(data.errors[0].message, /The Last-Event-ID is not valid for this database/)
      assert.equal((await reader.inbox.next()).event, 'complete')
    }
    await noneLeft()
  })

  it('goes on from any event of a batch, in the same order', async () => {
    await using all = await EventReader.open(tenant.user)
    await shop.rush(110)
    const told = await all.inbox.take(110)
    const marks = new Set(told.map(({ id }) => id))
    assert.equal(marks.size, 110)
    const numbers = told.map(({ data }) => data.data.onOrderCreated.number)
    for (const place of [0, 57, 98, 99, 100, 108]) {
      await using rest = await EventReader.open(tenant.user, { after: told[place]?.id ?? '' })
      const heard = await rest.inbox.take(109 - place)
      assert.deepEqual(
        heard.map(({ data }) => data.data.onOrderCreated.number),
        numbers.slice(place + 1),
        `from ${place}`,
      )
      // And from the middle of what was heard then: a mark of a mark.
      const inner = Math.floor(heard.length / 2)
      await using last = await EventReader.open(tenant.user, { after: heard[inner]?.id ?? '' })
      const then = await last.inbox.take(heard.length - inner - 1)
      assert.deepEqual(
        then.map(({ data }) => data),
        heard.slice(inner + 1).map(({ data }) => data),
      )
    }
  })

  it('says so when it was never here that the id of the last event was given out', async () => {
    const foreign = database === 'sqlite' ? '700:705:702' : '1795312345678901'
    for (const mark of ['nonsense', foreign, '5:3:', '1:2:3:4', '-1', '9'.repeat(400), "1'--"]) {
      await using reader = await EventReader.open(tenant.user, { after: mark })
      const { data } = await reader.next()
      assert.equal(data.errors[0].extensions.code, 'BAD_USER_INPUT', mark)
      assert.equal((await reader.inbox.next()).event, 'complete')
      await reader.ended
    }
    await noneLeft()
  })

  it('ends without a word when the service stops, so that the client comes back', async () => {
    const stopping = await startService(database)
    const { user } = await stopping.newTenant()
    await using reader = await EventReader.open(user)
    await stopping.stop()
    await reader.ended
    assert.equal(reader.inbox.size, 0)
  })
})

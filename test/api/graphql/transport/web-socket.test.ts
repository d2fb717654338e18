/** Operations over a WebSocket, in the protocol graphql-transport-ws. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { onEitherDatabase } from '../../../support/databases.ts'
import { openShop, type Shop } from '../../../support/graphql/order-subscription.ts'
import { newsFeature } from '../../../support/graphql/public-subscription.ts'
import { orderInMessage, RawSocket } from '../../../support/graphql/raw-socket.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

/** What a subscription is told of within so long, or it may not have begun. */
const lateMs = 100

onEitherDatabase('GraphQL over WebSocket', (database) => {
  let service: TestService
  let tenant: TestTenant
  let shop: Shop
  let authorization: string
  before(async () => {
    service = await startService(database, {}, { features: [newsFeature] })
    tenant = await service.newTenant({ subdomain: 'acme' })
    shop = await openShop(tenant.user)
    authorization = tenant.user.headers['authorization'] ?? ''
  })
  after(() => service.stop())

  it('serves the client graphql-ws: a query, a mutation, and a subscription that hears of it', async () => {
    const client = createClient({
      url: `${service.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization },
      retryAttempts: 0,
      lazy: false,
    })
    const heard = client.iterate<{ onOrderCreated: { id: string } }>({
      query: 'subscription { onOrderCreated { id } }',
    })
    const first = heard.next()
    const asked = client.iterate<{ products: { id: string }[] }>({ query: '{ products { id } }' })
    const productId = (await asked.next()).value?.data?.products[0]?.id
    const query = `mutation Order($input: CreateOrderInput!) { createOrder(input: $input) { id } }`
    const variables = { input: { customerId: 'c', items: [{ productId, quantity: 2 }] } }
    const made: (string | undefined)[] = []
    // The protocol does not say when a subscription has begun: what came before it is not told.
    for (let told: unknown = null; told === null; told = await Promise.race([first, delay(lateMs, null)])) {
      const order = await client.iterate<{ createOrder: { id: string } }>({ query, variables }).next()
      made.push(order.value?.data?.createOrder.id)
    }
    const { id } = (await first).value?.data?.onOrderCreated ?? {}
    assert.ok(id !== undefined && made.includes(id), `${id} is none of ${made}`)
    assert.equal((await heard.return?.())?.done, true)
    await client.dispose()
  })

  it('runs an operation without a name that is asked for by an empty one, as over HTTP', async () => {
    await using socket = await RawSocket.enter(service.url, { authorization })
    const asked = { operationName: '' }
    const query = '{ __typename }'
    const overHttp = await tenant.user.post('/graphql', { query, ...asked })
    assert.deepEqual(overHttp.body, { data: { __typename: 'Query' } })
    const { payload } = await socket.run(query, asked)
    assert.deepEqual(payload, overHttp.body)
  })

  const ways: [string, () => [object, Record<string, string>]][] = [
    ['authorization in connection_init', () => [{ authorization }, {}]],
    ['Authorization in connection_init', () => [{ Authorization: authorization }, {}]],
    ['a bare token in connection_init', () => [{ authorization: authorization.slice(7) }, {}]],
    ['the header of the upgrade', () => [{}, { authorization }]],
  ]
  for (const [way, given] of ways) {
    it(`takes the token from ${way}`, async () => {
      const [payload, headers] = given()
      await using socket = await RawSocket.enter(service.url, payload, { headers })
      const { payload: result } = await socket.run('{ me { userName tenantId } }')
      assert.deepEqual(result, { data: { me: { userName: 'worker', tenantId: tenant.id } } })
    })
  }

  const names: [string, () => [object, Record<string, string>, string]][] = [
    ['tenant in connection_init', () => [{ tenant: tenant.id }, {}, '/graphql']],
    ['x-tenant-id in connection_init', () => [{ 'x-tenant-id': tenant.id }, {}, '/graphql']],
    ['the header of the upgrade', () => [{}, { 'x-tenant-id': tenant.id }, '/graphql']],
    ['the query of the address', () => [{}, {}, `/graphql?tenant=${tenant.id}`]],
    ['the host', () => [{}, { host: 'acme.localhost' }, '/graphql']],
    ['the host that a proxy forwards', () => [{}, { 'x-forwarded-host': 'acme.localhost' }, '/graphql']],
  ]
  for (const [way, given] of names) {
    it(`serves somebody without a token what is public of the tenant in ${way}`, async () => {
      const [payload, headers, path] = given()
      await using socket = await RawSocket.enter(service.url, payload, { headers, path })
      const { payload: result } = await socket.run('{ products { name } }')
      assert.deepEqual(result, { data: { products: [{ name: 'Desk' }] } })
      const refused = await socket.run('{ me { id } }')
      assert.deepEqual(codesIn(refused.payload.errors), ['AUTH_NOT_AUTHENTICATED'])
      const followed = await socket.run('subscription { onOrderCreated { id } }')
      assert.deepEqual(codesIn(followed.payload.errors), ['AUTH_NOT_AUTHENTICATED'])
    })
  }

  it('answers what is not valid with an error message and its codes, and goes on', async () => {
    await using socket = await RawSocket.enter(service.url, { authorization })
    const wrong: [string, object, string][] = [
      ['{ nothing }', {}, 'GRAPHQL_VALIDATION_FAILED'],
      ['{ products {', {}, 'HC0014'],
      ['query($id: UUID!) { product(id: $id) { id } }', { variables: { id: 'x' } }, 'HC0016'],
      ['query A { me { id } } query B { me { id } }', {}, 'OPERATION_RESOLUTION_FAILURE'],
      ['query A { me { id } }', { operationName: 'C' }, 'OPERATION_RESOLUTION_FAILURE'],
      ['subscription { onOrderCreated { nothing } }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    ]
    for (const [query, more, code] of wrong) {
      const message = await socket.run(query, more)
      assert.equal(message.type, 'error', query)
      assert.deepEqual(codesIn(message.payload), [code], query)
    }
    assert.equal((await socket.run('{ me { id } }')).type, 'next')
  })

  it('tells each of several subscriptions on one connection, and none that was completed', async () => {
    await using socket = await RawSocket.enter(service.url, { authorization })
    await socket.follow(shop, ['a', 'b', 'c'])
    const first = await shop.order()
    const told = await socket.inbox.take(3)
    assert.deepEqual(
      told.map((message) => [message.id, orderInMessage(message)]).toSorted(),
      ['a', 'b', 'c'].map((id) => [id, first]),
    )
    socket.send({ id: 'b', type: 'complete' })
    await socket.run('{ me { id } }')
    const second = await shop.order()
    assert.deepEqual(
      (await socket.inbox.take(2)).map((message) => [message.id, orderInMessage(message)]).toSorted(),
      ['a', 'c'].map((id) => [id, second]),
    )
  })

  it('refuses the hundred and first operation at once, and takes one again when one is over', async () => {
    await using socket = await RawSocket.enter(service.url, { authorization })
    const ids = Array.from({ length: 100 }, (_each, place) => `${place}`)
    await socket.follow(shop, ids)
    socket.subscribe('too many')
    const refused = await socket.inbox.next()
    assert.deepEqual([refused.id, refused.type, codesIn(refused.payload)], ['too many', 'error', ['HC0047']])
    socket.send({ id: '7', type: 'complete' })
    await socket.follow(shop, ['fits'])
  })
})

function codesIn(errors: { extensions: { code: string } }[]): string[] {
  return errors.map(({ extensions }) => extensions.code)
}

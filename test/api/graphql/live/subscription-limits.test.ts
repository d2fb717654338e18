/** Bounds on subscriptions; an event costs one read however many followers it has. */
import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import type { Client } from '../../../support/client.ts'
import { watchReads } from '../../../support/database/watch-reads.ts'
import { onEachDatabase, onEitherDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { EventReader, orderIn } from '../../../support/graphql/event-reader.ts'
import { openShop } from '../../../support/graphql/order-subscription.ts'
import { RawSocket } from '../../../support/graphql/raw-socket.ts'
import { newProduct, orderOf } from '../../../support/orders.ts'
import { sharedService, startService, type TestService, type TestTenant } from '../../../support/service.ts'

const subscriptionLimits = { user: 4, userSelections: 3, tenant: 6, tenantSelections: 4, total: 7 }
const selecting = (fields: string) => `subscription { onOrderCreated { ${fields} } }`

onEitherDatabase('Subscriptions beyond a bound', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { subscriptionLimits })
    tenant = await service.newTenant()
  })
  /** A subscription ends a moment after its connection, and would count in the next test. */
  afterEach(() => count(0))
  after(() => service.stop())

  const count = (expected: number) =>
    eventually('subscriptions', soonMs, async () => service.service.subscriptions.count === expected)

  const socketOf = ({ headers }: Client) =>
    RawSocket.enter(service.url, { authorization: headers['authorization'] })

  /** @returns the message with which it is refused */
  const refused = async (socket: RawSocket, fields: string): Promise<string> => {
    const { payload } = await socket.run(selecting(fields))
    assert.equal(payload.errors[0].extensions.code, 'TOO_MANY_SUBSCRIPTIONS')
    return payload.errors[0].message
  }

  it('of a user are answered by an error, on a connection that goes on', async () => {
    await using socket = await socketOf(tenant.user)
    for (const [place, fields] of ['id', 'number', 'id number', 'id'].entries())
      socket.subscribe(`${place}`, selecting(fields))
    await count(4)
    assert.equal(await refused(socket, 'id'), 'You may have 4 subscriptions at once.')
    await using reader = await EventReader.open(tenant.user, { query: selecting('id') })
    assert.equal((await reader.next()).data.errors[0].extensions.code, 'TOO_MANY_SUBSCRIPTIONS')
    assert.equal((await reader.inbox.next()).event, 'complete')
    assert.equal((await socket.run('{ me { userName } }')).type, 'next')
    socket.socket.terminate()
    await count(0)
    await using again = await socketOf(tenant.user)
    again.subscribe('1')
    await count(1)
  })

  it('that select something else than those of the user, or of the tenant, likewise', async () => {
    await using socket = await socketOf(tenant.user)
    for (const fields of ['id', 'number', 'total']) socket.subscribe(fields, selecting(fields))
    await count(3)
    assert.equal(await refused(socket, 'status'), 'You may have 3 different subscriptions at once.')
    await using other = await socketOf(tenant.admin)
    other.subscribe('1', selecting('customerId'))
    await count(4)
    assert.equal(await refused(other, 'status'), 'A tenant may have 4 different subscriptions at once.')
    // Written otherwise, and the same.
    other.subscribe('2', 'subscription Another { onOrderCreated { ... on Order { total } } }')
    await count(5)
  })

  it('of a tenant and of all likewise', async () => {
    await using one = await socketOf(tenant.user)
    await using other = await socketOf(tenant.admin)
    for (const id of ['1', '2', '3']) {
      one.subscribe(id)
      other.subscribe(id)
    }
    await count(6)
    assert.equal(await refused(one, 'id number'), 'A tenant may have 6 subscriptions at once.')
    const elsewhere = await service.newTenant()
    await using third = await socketOf(elsewhere.user)
    third.subscribe('1')
    await count(7)
    assert.equal(await refused(third, 'id'), 'The service may have 7 subscriptions at once.')
    const { text } = await service.anonymous.get('/metrics')
    for (const reason of ['user', 'tenant'])
      assert.ok(text.includes(`reason="subscriptions of a ${reason}"`), reason)
  })
})

onEachDatabase('An event that is followed in many selections', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  it('is read once, and each result is what a query would give', async () => {
    const product = await newProduct(tenant.user, { name: 'Désk "1"\n', price: 1234.5 })
    const lamp = await newProduct(tenant.user, { name: 'Lamp', price: 0.1 })
    const selections = [
      'id',
      '__typename number id total',
      'a: total b: total kind: __typename id',
      'currency items { name quantity } id',
      'items { lineTotal product { name price category { name } } __typename } status id',
      'first: items { name } id second: items { q: quantity unitPrice }',
      'id createdAt items { product { id } p: product { name description isActive } }',
    ]
    const { authorization } = tenant.user.headers
    await using socket = await RawSocket.enter(service.url, { authorization })
    const { catalogueDatabase } = (await service.service.operator()).shared
    const watched = watchReads(catalogueDatabase, 'from "sales_order"')
    const queries = Object.fromEntries(selections.map((fields, place) => [`${place}`, selecting(fields)]))
    await socket.follow(await openShop(tenant.user), Object.keys(queries), queries)
    watched.reads.length = 0
    const made = await tenant.user.post(
      '/api/orders',
      orderOf([
        [product, 3],
        [lamp, 1],
      ]),
    )
    assert.equal(made.status, 201)
    const told = await socket.inbox.take(selections.length)
    watched.stop()
    for (const [place, fields] of selections.entries()) {
      const query = `{ orders(first: 1, order: [{ number: DESC }]) { nodes { ${fields} } } }`
      const { body } = await tenant.user.post('/graphql', { query })
      const message = told.find(({ id }) => id === `${place}`)
      assert.deepEqual(message?.payload, { data: { onOrderCreated: body.data.orders.nodes[0] } }, fields)
    }
    assert.equal(watched.reads.length, 1)
  })

  it('whose result would be too large is told as an error, to nobody else', async () => {
    const product = await newProduct(tenant.user, { name: 'x'.repeat(200), price: 1 })
    const { authorization } = tenant.user.headers
    await using socket = await RawSocket.enter(service.url, { authorization })
    const many = Array.from({ length: 190 }, (_each, place) => `f${place}: name`).join(' ')
    await socket.follow(await openShop(tenant.user), ['large', 'small'], {
      large: selecting(`id items { ${many} }`),
      small: selecting('id items { name }'),
    })
    const items = Array.from({ length: 20 }, () => ({ productId: product.id, quantity: 1 }))
    assert.equal((await tenant.user.post('/api/orders', { customerId: 'c', items })).status, 201)
    const told = await socket.inbox.take(2)
    const large = told.find(({ id }) => id === 'large')
    assert.deepEqual([large?.type, large?.payload[0].extensions.code], ['error', 'HC0047'])
    assert.equal(told.find(({ id }) => id === 'small')?.type, 'next')
  })
})

onEachDatabase('Events that many subscribers have missed', (database) => {
  let service: TestService
  before(async () => {
    service = await sharedService(database)
  })
  after(() => service.stop())

  it('are read for one of them at a time', async () => {
    const { user } = await service.newTenant()
    const shop = await openShop(user)
    const { catalogueDatabase } = (await service.service.operator()).shared
    const watched = watchReads(catalogueDatabase, 'from "sales_order"') // the feed keeps its executor
    await using first = await EventReader.open(user)
    await shop.order()
    const { id: lastRead = '' } = await first.next()
    const missed = await shop.rush(3)
    for (const _each of missed) await first.next()
    watched.reads.length = 0
    const readers = await Promise.all(
      Array.from({ length: 12 }, (_each, place) =>
        EventReader.open(user, { after: lastRead, query: selecting(`a${place}: id id`) }),
      ),
    )
    for (const reader of readers) {
      const told = [await reader.next(), await reader.next(), await reader.next()]
      assert.deepEqual(told.map(orderIn).toSorted(), missed.toSorted())
      await reader.close()
    }
    watched.stop()
    assert.equal(watched.reads.length, 12 * missed.length)
    assert.ok(watched.mostAtOnce() <= missed.length, `${watched.mostAtOnce()}`)
  })
})

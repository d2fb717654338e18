/** Hostile clients and bad connections leave nothing behind. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { inspect } from '../../../support/database/inspect.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { EventReader, orderIn } from '../../../support/graphql/event-reader.ts'
import { openShop, type Shop } from '../../../support/graphql/order-subscription.ts'
import { onOrderCreated, RawSocket } from '../../../support/graphql/raw-socket.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

onEitherDatabase('Of subscriptions nothing stays behind', (database) => {
  let service: TestService
  let tenant: TestTenant
  let shop: Shop
  let authorization: string
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    shop = await openShop(tenant.user)
    authorization = tenant.user.headers['authorization'] ?? ''
  })
  after(() => service.stop())

  const noneLeft = () =>
    eventually('the end of all subscriptions', soonMs, async () => service.service.subscriptions.count === 0)

  it('when one is begun again under its id before the first one has begun', async () => {
    await using socket = await RawSocket.enter(service.url, { authorization })
    for (let count = 0; count < 30; count++) {
      socket.subscribe('1')
      socket.send({ id: '1', type: 'complete' })
    }
    socket.subscribe('1')
    await eventually('a subscription', soonMs, async () => service.service.subscriptions.count > 0)
    socket.socket.terminate()
    await noneLeft()
  })

  it('when a connection breaks at any moment', async () => {
    const url = `${service.url.replace(/^http/, 'ws')}/graphql`
    for (let count = 0; count < 60; count++) {
      const socket = new WebSocket(url, 'graphql-transport-ws')
      await once(socket, 'open')
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }))
      if (count % 2 === 0) await once(socket, 'message')
      for (let id = 0; id < 5; id++) {
        socket.send(JSON.stringify({ id: `${id}`, type: 'subscribe', payload: { query: onOrderCreated } }))
      }
      await delay(count % 6)
      socket.terminate()
    }
    await noneLeft()
  })

  it('when operations are begun and given up without a pause: a connection runs a hundred at most', async () => {
    await using socket = await RawSocket.enter(service.url, { authorization })
    for (let count = 0; count < 3000; count++) {
      socket.subscribe(`${count}`, '{ products { id } }')
      socket.send({ id: `${count}`, type: 'complete' })
    }
    let turn = 0
    await eventually('an answer', 15_000, async () => {
      const id = `last ${turn++}`
      socket.subscribe(id, '{ me { userName } }')
      let heard = await socket.inbox.nextWithin(1000)
      while (heard !== null && heard.id !== id) heard = await socket.inbox.nextWithin(1000)
      return heard?.type === 'next'
    })
  })

  it('and whoever joins while the last one leaves is told all the same', async () => {
    let reader = await EventReader.open(tenant.user)
    for (let count = 0; count < 25; count++) {
      const leaving = reader.close()
      const [next] = await Promise.all([EventReader.open(tenant.user), leaving, shop.order()])
      reader = next
      const order = await shop.order()
      while (orderIn(await reader.next()) !== order);
    }
    await reader.close()
    await noneLeft()
  })

  it('but the tenant moved to another database: who follows the old one is told to come back', async () => {
    const moving = await service.newTenant()
    const { count } = service.service.subscriptions
    assert.equal(count, 0)
    await using reader = await EventReader.open(moving.user)
    await using socket = await RawSocket.enter(service.url, {
      authorization: moving.user.headers['authorization'],
    })
    socket.subscribe('1')
    await eventually('both', soonMs, async () => service.service.subscriptions.count === 2)
    const path = `/api/tenants/${moving.id}`
    assert.equal((await service.host.put(path, { name: 'Other name' })).status, 200)
    assert.equal(await reader.inbox.nextWithin(300), null)
    const connectionString = `sqlite:moved-${database}.db`
    assert.equal((await service.host.put(path, { connectionString })).status, 200)
    await reader.ended
    assert.equal(await reader.inbox.nextWithin(0), null) // nothing says that it is complete
    const told = await socket.inbox.next()
    assert.deepEqual([told.type, told.id], ['error', '1'], JSON.stringify(told))
    assert.equal(told.payload[0].extensions.code, 'UNAVAILABLE')
    const shopThere = await openShop(moving.user)
    await using again = await EventReader.open(moving.user)
    const order = await shopThere.order()
    assert.equal(orderIn(await again.next()), order)
  })

  it('and events of another server, from a dump that was restored here, are not told for ever', async () => {
    const order = await shop.order()
    const ahead = database === 'postgres' ? 1e12 : 1
    const data = JSON.stringify({ orderId: order })
    await using reader = await EventReader.open(tenant.user)
    await inspect(
      service.config.databaseUrl,
      `INSERT INTO event (tenant_id, id, type, data, created_at, position)
       VALUES ('${tenant.id}', 'evt_restored${database}', 'order.created', '${data}', '2026-01-01T00:00:00.000Z', ${ahead})`,
    )
    const orders = await shop.orders(3)
    const told = await reader.inbox.take(3)
    assert.deepEqual(told.map(orderIn), orders)
    assert.equal(await reader.inbox.nextWithin(1500), null)
  })
})

onEitherDatabase('A service that stops', (database) => {
  it('does not wait for somebody who does not read what comes', async () => {
    const service = await startService(database)
    const tenant = await service.newTenant()
    const shop = await openShop(tenant.user)
    const fields = Array.from({ length: 190 }, (_each, place) => `field${place}: customerId`)
    const query = encodeURIComponent(`subscription { onOrderCreated { id ${fields.join(' ')} } }`)
    const headers = { ...tenant.user.headers, accept: 'text/event-stream' }
    const asked = get(`${service.url}/graphql?query=${query}`, { headers })
    asked.on('error', () => undefined) // it is cut in the end
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    response.on('error', () => undefined)
    response.pause()
    while (service.service.subscriptions.count > 0) await shop.rush(100)
    const began = performance.now()
    await service.stop()
    assert.ok(performance.now() - began < 5000)
    asked.destroy()
  })
})

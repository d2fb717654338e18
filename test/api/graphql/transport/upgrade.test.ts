/** How a WebSocket begins, and how a stopping service ends it. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { onEitherDatabase } from '../../../support/databases.ts'
import { openShop } from '../../../support/graphql/order-subscription.ts'
import { newsFeature } from '../../../support/graphql/public-subscription.ts'
import { onOrderCreated, RawSocket, refusedUpgrade } from '../../../support/graphql/raw-socket.ts'
import { sendRaw } from '../../../support/http/raw-request.ts'
import { startService, type TestService } from '../../../support/service.ts'

/** Within a second; the rest is for a machine that is busy. A deaf client by itself takes half a minute. */
const stopsWithinMs = 15_000

onEitherDatabase('A service that stops', (database) => {
  it('closes every WebSocket with 1001 within a second, and completes no subscription', async () => {
    const service = await startService(database)
    const tenant = await service.newTenant()
    const shop = await openShop(tenant.user)
    const authorization = tenant.user.headers['authorization']
    await using socket = await RawSocket.enter(service.url, { authorization })
    await socket.follow(shop, ['1'])
    await using deaf = await RawSocket.enter(service.url, { authorization })
    deaf.socket.pause()
    const query = 'mutation { createProduct(input: { name: "Last", price: 1 }) { name } }'
    socket.subscribe('last', query)
    socket.socket.ping()
    await once(socket.socket, 'pong') // the mutation has reached the service
    const began = performance.now()
    await service.stop()
    assert.ok(performance.now() - began < stopsWithinMs)
    assert.deepEqual(await socket.closed, [1001, 'Going away'])
    const heard = await socket.inbox.nextWithin(0)
    assert.deepEqual(heard?.payload, { data: { createProduct: { name: 'Last' } } })
    assert.deepEqual(await socket.inbox.nextWithin(0), { type: 'complete', id: 'last' })
    assert.equal(socket.inbox.size, 0)
  })
})

describe('The upgrade to a WebSocket', () => {
  let service: TestService
  before(async () => {
    service = await startService(
      'sqlite',
      { CORS_ORIGINS: 'https://shop.example.org', BASE_URL: 'https://public.example.org:8080' },
      { features: [newsFeature] },
    )
  })
  after(() => service.stop())

  it('is refused to pages of other origins, and made for our own and those that the settings name', async () => {
    const { host } = new URL(service.url)
    for (const origin of ['https://evil.example.org', 'null', `http://${host}.evil.org`, 'nonsense']) {
      assert.equal(await refusedUpgrade(service.url, { headers: { origin } }), 403, origin)
    }
    for (const origin of [`http://${host}`, `https://${host}`, 'https://shop.example.org']) {
      await using socket = await RawSocket.enter(service.url, {}, { headers: { origin } })
      assert.equal(socket.socket.readyState, 1, origin)
    }
    const headers = { 'x-forwarded-host': 'api.example.org', origin: 'https://api.example.org' }
    await using proxied = await RawSocket.enter(service.url, {}, { headers })
    assert.equal(proxied.socket.readyState, 1)
  })

  for (const [host, origin] of [
    ['API.example.org', 'https://api.example.org'],
    ['api.example.org.', 'https://api.example.org'],
    ['api.example.org', 'https://api.example.org.'],
    ['api.example.org:443', 'https://api.example.org'],
    ['api.example.org.:8443', 'https://api.example.org:8443'],
    ['elsewhere', 'https://public.example.org:8080'],
  ] as const) {
    it(`is made for a page of ${origin} when Host is ${host}`, async () => {
      await using socket = await RawSocket.enter(service.url, {}, { headers: { host, origin } })
      assert.equal(socket.socket.readyState, 1)
    })
  }

  for (const [host, origin] of [
    ['api.example.org', 'https://api.example.org:8443'],
    ['api.example.org:80', 'https://api.example.org'],
    ['api.example.org', 'https://evil.api.example.org'],
    ['elsewhere', 'https://public.example.org'],
  ] as const) {
    it(`is refused to a page of ${origin} when Host is ${host}`, async () => {
      assert.equal(await refusedUpgrade(service.url, { headers: { host, origin } }), 403)
    })
  }

  it('that is refused outlives neither a client that vanishes nor one that stays', async () => {
    const { port, hostname, host } = new URL(service.url)
    const head = [
      'GET /graphql HTTP/1.1',
      `Host: ${host}`,
      'Origin: https://evil.example.org',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]
    const request = `${head.join('\r\n')}\r\n\r\n`
    for (let count = 0; count < 50; count++) {
      const vanishing = connect(Number(port), hostname)
      await once(vanishing, 'connect')
      vanishing.write(request)
      if (count % 2 === 0) await delay(1)
      vanishing.resetAndDestroy()
    }
    const staying = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    staying.on('error', () => undefined) // what it says to a connection that is gone
    staying.resume().write(request)
    const talking = setInterval(() => staying.write('x'), 20)
    await new Promise((resolve) => staying.once('close', resolve))
    clearInterval(talking)
    assert.equal((await service.anonymous.get('/health/live')).status, 200)
  })

  it('is for WebSockets at one address only: anything else is answered as usual', async () => {
    const { host } = new URL(service.url)
    const ask = (path: string, upgrade: string) =>
      sendRaw(
        service.url,
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, close\r\nUpgrade: ${upgrade}\r\n\r\n`,
      )
    assert.equal((await ask('/api/init/status', 'h2c')).status, 200)
    assert.equal((await ask('/api/init/status', 'websocket')).status, 200)
    const query = encodeURIComponent('{ products { id } }')
    assert.deepEqual((await ask(`/graphql?query=${query}`, 'h2c')).body, { data: { products: [] } })
    const answer = await service.host.post(
      '/graphql',
      { query: onOrderCreated },
      { accept: 'application/json' },
    )
    assert.equal(answer.status, 406)
  })
})

/** Close codes for clients that break the protocol or are refused. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { openShop, type Shop } from '../../../support/graphql/order-subscription.ts'
import { newsFeature } from '../../../support/graphql/public-subscription.ts'
import { RawSocket } from '../../../support/graphql/raw-socket.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

onEitherDatabase('A WebSocket is closed', (database) => {
  let service: TestService
  let tenant: TestTenant
  let shop: Shop
  let authorization: string
  before(async () => {
    service = await startService(database, { BODY_LIMIT_BYTES: '5000' }, { features: [newsFeature] })
    tenant = await service.newTenant()
    shop = await openShop(tenant.user)
    authorization = tenant.user.headers['authorization'] ?? ''
  })
  after(() => service.stop())

  it('with 4400 for what is no message of the protocol', async () => {
    for (const text of ['nonsense', '[]', '{"type":"unknown"}', '{"type":"subscribe","id":"1"}', '']) {
      await using socket = await RawSocket.enter(service.url, { authorization })
      socket.send(text)
      assert.equal((await socket.closed)[0], 4400, text)
    }
  })

  it('with 4401 for an operation before the connection is acknowledged', async () => {
    await using socket = await RawSocket.open(service.url)
    socket.subscribe('1', '{ me { id } }')
    assert.deepEqual(await socket.closed, [4401, 'Unauthorized'])
  })

  it('with 4401 for a token that is not good, 4403 for a foreign tenant, and 4400 for an empty one', async () => {
    const other = await service.newTenant()
    const notOurs = 'This service has not issued the token.'
    const otherKind =
      'A bearer token is required, and the Authorization header has credentials of another kind.'
    const refused: [object, number, string][] = [
      [{ authorization: 'Bearer nonsense' }, 4401, notOurs],
      [{ authorization: `${authorization.slice(0, -4)}AAAA` }, 4401, notOurs],
      [{ authorization: 'Basic YTpi' }, 4401, otherKind],
      [{ authorization, tenant: other.id }, 4403, 'The token does not belong to this tenant.'],
      [{ authorization, tenant: 'nobody' }, 4403, 'The token does not belong to this tenant.'],
      [{ tenant: 'nobody' }, 4403, 'There is no such tenant.'],
      [{ authorization, tenant: '' }, 4400, 'X-Tenant-Id: must name a tenant'],
      [{ tenant: '' }, 4400, 'X-Tenant-Id: must name a tenant'],
    ]
    for (const [payload, code, reason] of refused) {
      await using socket = await RawSocket.open(service.url)
      socket.send({ type: 'connection_init', payload })
      assert.deepEqual(await socket.closed, [code, reason], JSON.stringify(payload))
    }
  })

  it('with 4406 for another protocol', async () => {
    await using socket = await RawSocket.open(service.url, { protocol: 'graphql-ws' }).catch(() => null)
    if (socket !== null) assert.equal((await socket.closed)[0], 4406)
  })

  it('with 4408 for three seconds of silence', async () => {
    await using socket = await RawSocket.open(service.url)
    const began = performance.now()
    assert.deepEqual(await socket.closed, [4408, 'Connection initialisation timeout'])
    assert.ok(performance.now() - began >= 2500)
  })

  it('with 4409 for an id that is in use, and 4429 for a second connection_init', async () => {
    await using first = await RawSocket.enter(service.url, { authorization })
    await first.follow(shop, ['1'])
    first.subscribe('1')
    assert.deepEqual(await first.closed, [4409, 'Subscriber for 1 already exists'])
    await using second = await RawSocket.enter(service.url, { authorization })
    second.send({ type: 'connection_init', payload: { authorization } })
    assert.deepEqual(await second.closed, [4429, 'Too many initialisation requests'])
  })

  it('with 1009 for a message beyond the limit of bodies', async () => {
    await using socket = await RawSocket.enter(service.url, {})
    socket.subscribe('1', `{ me { id } } # ${'x'.repeat(5000)}`)
    assert.equal((await socket.closed)[0], 1009)
  })

  it('with 4401 for a ping with a token that is another user’s or not good', async () => {
    const host = `Bearer ${(await service.signIn('admin')).accessToken}`
    for (const other of [tenant.admin.headers['authorization'], host, 'Bearer nonsense']) {
      await using socket = await RawSocket.enter(service.url, { authorization })
      socket.send({ type: 'ping', payload: { authorization: other } })
      assert.deepEqual(await socket.closed, [4401, 'The token is not valid'])
    }
  })
})

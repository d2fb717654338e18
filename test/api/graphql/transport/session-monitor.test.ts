/** Open connections end when their session or their access ends. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { TestClock } from '../../../support/clock.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { soonMs } from '../../../support/eventually.ts'
import { EventReader } from '../../../support/graphql/event-reader.ts'
import { openShop } from '../../../support/graphql/order-subscription.ts'
import { newsFeature } from '../../../support/graphql/public-subscription.ts'
import { ignoreWhatComes, RawSocket } from '../../../support/graphql/raw-socket.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

/** Longer than the service waits before it looks again. */
const lookedMs = 800

onEitherDatabase('Whoever follows', (database) => {
  const clock = new TestClock()
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { clock: clock.now, features: [newsFeature] })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const signIn = async (userName = 'worker') => {
    const { client, accessToken } = await service.signIn(userName, tenant.id)
    return { client, authorization: `Bearer ${accessToken}` }
  }

  /** Over both transports, and told of an order on each. */
  const follow = async (credentials?: Awaited<ReturnType<typeof signIn>>) => {
    const { client, authorization } = credentials ?? (await signIn())
    const socket = await RawSocket.enter(service.url, { authorization })
    await socket.follow(await openShop(client), ['1'])
    const reader = await EventReader.open(client)
    return {
      client,
      isGone: async () => {
        const gone = await Promise.race([socket.closed, delay(soonMs, null, { ref: false })])
        assert.deepEqual(gone, [4401, 'The token is no longer valid'])
        const told = await reader.next()
        assert.equal(told.data.errors[0].extensions.code, 'AUTH_NOT_AUTHENTICATED')
        assert.equal((await reader.inbox.next()).event, 'complete')
        await reader.ended
      },
      [Symbol.asyncDispose]: async () => {
        await socket[Symbol.asyncDispose]()
        await reader.close()
      },
    }
  }

  it('goes soon after the token has expired', async () => {
    await using follower = await follow()
    clock.advance({ minutes: 16 })
    await follower.isGone()
  })

  it('goes soon after the session has ended', async () => {
    await using follower = await follow()
    assert.equal((await follower.client.post('/api/auth/logout')).status, 200)
    await follower.isGone()
  })

  it('goes soon after an administrator has ended the sessions of the user', async () => {
    const admin = (await signIn('boss')).client
    await using follower = await follow()
    const { body } = await follower.client.get('/api/auth/me')
    assert.equal((await admin.delete(`/api/users/${body.id}/sessions`)).status, 204)
    await follower.isGone()
  })

  it('goes soon after the user has ended the session of an administrator who acts as the user', async () => {
    const { client } = await signIn()
    const { id } = (await client.get('/api/auth/me')).body
    const host = (await service.signIn('admin')).client
    const { body } = await host.post(`/api/users/${id}/impersonate`, { reason: 'Ticket 4711' })
    const acting = service.anonymous.withToken(body.accessToken)
    await using follower = await follow({ client: acting, authorization: `Bearer ${body.accessToken}` })
    assert.equal((await client.delete('/api/auth/sessions')).status, 204)
    await follower.isGone()
  })

  it('goes soon after the user was deactivated', async () => {
    const admin = (await signIn('boss')).client
    const { body } = await admin.get('/api/users/by-username/worker')
    await using follower = await follow()
    assert.equal((await admin.put(`/api/users/${body.id}`, { isActive: false })).status, 200)
    await follower.isGone()
    assert.equal((await admin.put(`/api/users/${body.id}`, { isActive: true })).status, 200)
  })

  it('goes soon after the tenant was deactivated, and so does who is there without a token', async () => {
    const host = (await service.signIn('admin')).client
    await using nobody = await RawSocket.enter(service.url, { tenant: tenant.id })
    await using follower = await follow()
    assert.equal((await host.delete(`/api/tenants/${tenant.id}`)).status, 204)
    await follower.isGone()
    assert.equal((await nobody.closed)[0], 4401)
    assert.equal((await host.put(`/api/tenants/${tenant.id}`, { isActive: true })).status, 200)
  })

  it('goes at once with the next operation, before anybody has looked', async () => {
    const { authorization } = await signIn()
    await using socket = await RawSocket.enter(service.url, { authorization })
    clock.advance({ minutes: 16 })
    socket.subscribe('1', '{ me { id } }')
    assert.equal((await socket.closed)[0], 4401)
    assert.equal(socket.inbox.size, 0)
  })

  it('is not heard any more, even when the connection is not closed from the other side', async () => {
    const { authorization, client } = await signIn()
    await using socket = await RawSocket.enter(service.url, { authorization })
    ignoreWhatComes(socket)
    assert.equal((await client.post('/api/auth/logout')).status, 200)
    await delay(lookedMs)
    const query = 'mutation { createProduct(input: { name: "Ghost", price: 1 }) { id } }'
    socket.subscribe('1', query)
    await delay(200)
    const found = await (await signIn('boss')).client.get('/api/products/search/Ghost')
    assert.deepEqual(found.body, [])
  })

  it('stays when a ping has renewed the token for the same user', async () => {
    const { authorization } = await signIn()
    await using socket = await RawSocket.enter(service.url, { authorization })
    clock.advance({ minutes: 10 })
    const renewed = await signIn()
    socket.send({ type: 'ping', payload: { authorization: renewed.authorization } })
    assert.equal((await socket.inbox.next()).type, 'pong')
    clock.advance({ minutes: 10 })
    const shop = await openShop((await signIn()).client)
    await socket.follow(shop, ['1'])
    assert.equal(await Promise.race([socket.closed, delay(lookedMs, 'open')]), 'open')
    clock.advance({ minutes: 10 })
    assert.equal((await socket.closed)[0], 4401)
  })
})

/** An event is published, dispatched to its subscribers, sent, and recorded. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEachDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { runsOf } from '../../support/run/extent.ts'
import {
  answering,
  deliveries,
  eventIds,
  onlyDelivery,
  publish,
  subscribe,
} from '../../support/webhooks/delivery-scene.ts'
import { shareScene } from './shared-scene.ts'

onEachDatabase('A delivery', (database) => {
  const scene = shareScene(database)

  it('goes by itself to whoever subscribed, signed, with the body that the event has', async () => {
    const user = await scene.newUser()
    const receiver = await scene.receiver()
    const id = await subscribe(user, receiver)
    const eventId = await publish(user, 'thing.happened', { size: 3, name: '\u{1f600}' })
    await eventually('the delivery', soonMs, async () => receiver.requests.length === 1)
    const [request] = receiver.requests
    const { type, tenantId, data, timestamp } = JSON.parse(request?.body ?? '')
    assert.deepEqual({ type, data }, { type: 'thing.happened', data: { size: 3, name: '\u{1f600}' } })
    assert.equal(request?.headers['x-webhook-id'], eventId)
    assert.match(String(request?.headers['x-webhook-signature']), /^v1=[0-9a-f]{64}$/)
    await scene.look()
    const found = await onlyDelivery(user)
    assert.deepEqual(
      [found.subscriptionId, found.eventId, found.status, found.attempts, found.kind, found.event.createdAt],
      [id, eventId, 'SUCCEEDED', 1, 'EVENT', timestamp],
    )
    assert.ok(tenantId)
    const [attempt] = found.attemptLog
    assert.deepEqual(
      [attempt?.number, attempt?.outcome, attempt?.status, attempt?.responseExcerpt],
      [1, 'success', 200, 'ok'],
    )
  })

  it('tells of a change that was made over REST, and of none that was refused', async () => {
    const user = await scene.newUser()
    const receiver = await scene.receiver()
    await subscribe(user, receiver, { events: ['product.*'] })
    const made = await user.post('/api/products', { name: 'Desk', price: 19.99 })
    await user.post('/api/products', { name: 'Desk', price: -1 })
    await user.put(`/api/products/${made.body.id}`, { name: 'Desk', price: 20 })
    await user.post('/api/categories', { name: 'Furniture' })
    await scene.look()
    const bodies = receiver.requests.map(({ body }) => JSON.parse(body))
    assert.deepEqual(bodies.map(({ type }) => type).toSorted(), ['product.created', 'product.updated'])
    assert.deepEqual(bodies[0].data, { productId: made.body.id, name: 'Desk', price: 19.99 })
  })

  it('is made for each subscription that wants the event, and for no other tenant', async () => {
    const [user, other] = [await scene.newUser(), await scene.newUser()]
    const [one, two, none, foreign] = await Promise.all([1, 2, 3, 4].map(() => scene.receiver()))
    assert.ok(one && two && none && foreign)
    await subscribe(user, one, { events: ['thing.happened'] })
    await subscribe(user, two, { events: ['other.thing', 'thing.*'] })
    await subscribe(user, none, { events: ['things.*'] })
    await subscribe(other, foreign)
    await publish(user)
    await scene.look()
    assert.deepEqual(
      [one, two, none, foreign].map(({ requests }) => requests.length),
      [1, 1, 0, 0],
    )
    assert.equal((await deliveries(other)).length, 0)
  })

  it('reaches a tenant of the catalogue with what is told of its users', async () => {
    const tenant = await scene.newTenant()
    const receiver = await scene.receiver()
    await subscribe(tenant.admin, receiver, { events: ['user.*'] })
    const member = {
      userName: 'late',
      email: 'late@example.com',
      password: 'Admin@123',
      firstName: 'L',
      lastName: 'T',
    }
    assert.equal((await tenant.admin.post('/api/users', member)).status, 201)
    await scene.look()
    assert.deepEqual(
      receiver.requests.map(({ body }) => JSON.parse(body).type),
      ['user.created'],
    )
  })

  it('comes once for each of many events published at the same time', async () => {
    const user = await scene.newUser()
    const receiver = await scene.receiver()
    await subscribe(user, receiver)
    const ids = await Promise.all(
      Array.from({ length: runsOf(60, 300) }, (_, index) => publish(user, 'thing.counted', { index })),
    )
    await scene.look()
    assert.deepEqual(eventIds(receiver.requests).toSorted(), ids.toSorted())
  })

  it('comes in the order of the events where nothing fails and one is sent at a time', async () => {
    const user = await scene.newUser()
    const receiver = await scene.receiver()
    await subscribe(user, receiver)
    const ids: string[] = []
    for (let count = 0; count < 10; count++) {
      ids.push(await publish(user))
      await scene.look()
    }
    assert.deepEqual(eventIds(receiver.requests), ids)
  })

  it('is given up when its subscription is deleted', async () => {
    const user = await scene.newUser()
    const receiver = await scene.receiver(answering(500))
    const id = await subscribe(user, receiver, { retrySeconds: [1] })
    await publish(user)
    await scene.look()
    assert.equal((await user.delete(`/api/webhooks/subscriptions/${id}`)).status, 204)
    await eventually('its end', soonMs, async () => (await onlyDelivery(user)).status === 'DEAD')
    assert.equal((await onlyDelivery(user)).reason, 'subscriptionDeleted')
    assert.equal(receiver.requests.length, 1)
  })
})

/** Deliveries on request: replays and tests. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import {
  answering,
  deliveries,
  delivery,
  onlyDelivery,
  publish,
  subscribe,
} from '../../../support/webhooks/delivery-scene.ts'
import { shareScene } from '../shared-scene.ts'

onEitherDatabase('A delivery that is asked for', (database) => {
  const scene = shareScene(database)

  it('is the same event once more, as a delivery of its own: 202', async () => {
    const user = await scene.newUser()
    const receiver = await scene.receiver()
    await subscribe(user, receiver)
    await publish(user, 'thing.happened', { a: 1 })
    await scene.look()
    const original = await onlyDelivery(user)
    const answer = await user.post(`/api/webhooks/deliveries/${original.id}/replay`)
    assert.equal(answer.status, 202, answer.text)
    assert.equal(answer.headers.get('location'), `/api/webhooks/deliveries/${answer.body.id}`)
    assert.deepEqual(
      [answer.body.kind, answer.body.status, answer.body.eventId],
      ['REPLAY', 'PENDING', original.eventId],
    )
    await scene.look()
    const replayed = await delivery(user, answer.body.id)
    assert.deepEqual([replayed.status, replayed.attempts], ['SUCCEEDED', 1])
    assert.deepEqual((await delivery(user, original.id)).attemptLog, original.attemptLog)
    const [first, second] = receiver.requests
    assert.equal(first?.body, second?.body)
    assert.equal(first?.headers['x-webhook-id'], second?.headers['x-webhook-id'])
  })

  it('has the whole schedule, whatever became of the first one', async () => {
    const user = await scene.newUser()
    await subscribe(user, await scene.receiver(answering(500)), { retrySeconds: [] })
    await publish(user)
    await scene.look()
    const original = await onlyDelivery(user)
    assert.equal(original.status, 'DEAD')
    const { body } = await user.post(`/api/webhooks/deliveries/${original.id}/replay`)
    await scene.look()
    assert.deepEqual([(await delivery(user, body.id)).status, (await deliveries(user)).length], ['DEAD', 2])
  })

  it('is made once for one Idempotency-Key', async () => {
    const user = await scene.newUser()
    const receiver = await scene.receiver()
    await subscribe(user, receiver)
    await publish(user)
    await scene.look()
    const { id } = await onlyDelivery(user)
    const again = () =>
      user.post(`/api/webhooks/deliveries/${id}/replay`, undefined, { 'idempotency-key': 'k' })
    assert.equal((await again()).body.id, (await again()).body.id)
    await scene.look()
    assert.equal(receiver.requests.length, 2)
  })

  it('is refused for a delivery that does not exist, and when the subscription is gone: 404', async () => {
    const user = await scene.newUser()
    const id = await subscribe(user, await scene.receiver())
    await publish(user)
    await scene.look()
    const { id: deliveryId } = await onlyDelivery(user)
    await user.delete(`/api/webhooks/subscriptions/${id}`)
    assertError(
      await user.post(`/api/webhooks/deliveries/${deliveryId}/replay`),
      404,
      'There is no such subscription.',
    )
    assertError(await user.post('/api/webhooks/deliveries/0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11/replay'), 404)
    assertError(await user.post('/api/webhooks/deliveries/1/replay'), 404)
  })

  it('as a test goes to that subscription alone, whatever it wants, even while it is paused', async () => {
    const user = await scene.newUser()
    const [one, other] = [await scene.receiver(), await scene.receiver()]
    const id = await subscribe(user, one, { events: ['order.created'] })
    await subscribe(user, other)
    await user.send('PATCH', `/api/webhooks/subscriptions/${id}`, { isActive: false })
    const answer = await user.post(`/api/webhooks/subscriptions/${id}/test`)
    assert.equal(answer.status, 202, answer.text)
    await scene.look()
    assert.deepEqual([one.requests.length, other.requests.length], [1, 0])
    const { type, data } = JSON.parse(one.requests[0]?.body ?? '')
    assert.deepEqual([type, data], ['webhook.test', { subscriptionId: id }])
    const found = await onlyDelivery(user)
    assert.deepEqual([found.kind, found.status, found.attemptLog.length], ['TEST', 'SUCCEEDED', 1])
  })
})

/** Deliveries of paused and deactivated subscriptions wait, and continue afterwards. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { TestClock } from '../../../support/clock.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { uniqueName } from '../../../support/service.ts'
import { answering, deliveries, publish, subscribe } from '../../../support/webhooks/delivery-scene.ts'
import { scenesOfOwn } from '../../scenes.ts'

onEitherDatabase('Deliveries', (database) => {
  const clock = new TestClock()
  const setScene = scenesOfOwn(database, {}, { clock: clock.now })

  for (const [kind, members] of [
    ['in the shared database', {}],
    ['in a database of the tenant’s own', { connectionString: `sqlite:${uniqueName('own')}.db` }],
  ] as const) {
    it(`wait while their subscription is paused, and go on by themselves when it is resumed: ${kind}`, async () => {
      await using scene = await setScene()
      const { user } = await scene.service.newTenant(members)
      const receiver = await scene.receiver()
      const id = await subscribe(user, receiver)
      await user.send('PATCH', `/api/webhooks/subscriptions/${id}`, { isActive: false })
      await publish(user)
      await scene.look()
      assert.equal(receiver.requests.length, 0)
      assert.deepEqual(
        (await deliveries(user)).map(({ status }) => status),
        ['PENDING'],
      )
      await user.send('PATCH', `/api/webhooks/subscriptions/${id}`, { isActive: true })
      await eventually('its delivery', soonMs, async () => receiver.requests.length === 1)
    })
  }

  it('of a deactivated tenant wait, and go on by themselves when it is active again', async () => {
    await using scene = await setScene()
    const { id, admin, user } = await scene.service.newTenant()
    let status = 500
    const receiver = await scene.receiver((response) => response.writeHead(status).end())
    const events = ['thing.*', 'tenant.deactivated', 'tenant.reactivated']
    await subscribe(admin, receiver, { events, retrySeconds: [1] })
    await publish(user)
    await eventually('the first attempt', soonMs, async () => receiver.requests.length === 1)
    await scene.look()
    status = 200
    await scene.service.host.delete(`/api/tenants/${id}`)
    clock.advance({ seconds: 2 })
    await scene.look()
    assert.equal(receiver.requests.length, 1)
    await scene.service.host.put(`/api/tenants/${id}`, { isActive: true })
    // The retry, and what was told of the tenant meanwhile.
    await eventually('all of them', soonMs, async () => receiver.requests.length === 4)
    await scene.look()
    const again = await scene.service.signIn('boss', id)
    assert.deepEqual(
      (await deliveries(again.client)).map(({ eventType, status: state }) => [eventType, state]).toSorted(),
      [
        ['tenant.deactivated', 'SUCCEEDED'],
        ['tenant.reactivated', 'SUCCEEDED'],
        ['thing.happened', 'SUCCEEDED'],
      ],
    )
  })

  it('of one subscription wait without holding up those of another', async () => {
    await using scene = await setScene()
    const [paused, active] = [await scene.receiver(), await scene.receiver(answering(200))]
    const id = await scene.subscribe(paused)
    await scene.subscribe(active)
    await scene.user.send('PATCH', `/api/webhooks/subscriptions/${id}`, { isActive: false })
    for (let count = 0; count < 20; count++) await scene.publish()
    await scene.look()
    assert.deepEqual([paused.requests.length, active.requests.length], [0, 20])
  })
})

/** Two instances on one PostgreSQL. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { StillClock } from '../../support/clock.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startInstance } from '../../support/instance.ts'
import { uniqueName } from '../../support/service.ts'
import {
  deliveries,
  eventIds,
  onlyDelivery,
  publish,
  setScene,
  subscribe,
} from '../../support/webhooks/delivery-scene.ts'

describe('Two instances', () => {
  it('make each delivery once, whichever of them the event was published at', async () => {
    await using scene = await setScene('postgres')
    const other = await startInstance(scene.service)
    const receiver = await scene.receiver((response) => setTimeout(() => response.end(), 5))
    for (let count = 0; count < 3; count++) await scene.subscribe(receiver)
    const { accessToken } = await scene.service.signIn('worker', scene.tenant.id)
    const clients = [scene.user, other.anonymous.withToken(accessToken)]
    const ids = await Promise.all(
      Array.from({ length: 200 }, (_, index) => publish(clients[index % 2] ?? scene.user)),
    )
    await Promise.all([scene.look(), other.service.queueWorkers.drain()])
    assert.deepEqual(eventIds(receiver.requests).toSorted(), [...ids, ...ids, ...ids].toSorted())
    await other.stop()
  })

  it('take over from each other: a lease that has ended is nobody’s', async () => {
    await using scene = await setScene('postgres', {}, { clock: new StillClock().now })
    const ahead = new StillClock()
    let calls = 0
    const receiver = await scene.receiver((response) => {
      // Whoever comes first gets no answer: as if it had been killed while it waited.
      if (++calls > 1) response.end()
    })
    await scene.subscribe(receiver)
    await publish(scene.user)
    await eventually('the first attempt', soonMs, async () => calls === 1)
    const other = await startInstance(scene.service, { clock: ahead.now })
    await other.service.queueWorkers.drain()
    assert.equal(calls, 1)
    ahead.advance({ seconds: 59 })
    await other.service.queueWorkers.drain()
    assert.equal(calls, 1)
    ahead.advance({ seconds: 2 })
    await eventually('the second attempt, by itself', 5000, async () => calls === 2)
    await other.service.queueWorkers.drain()
    assert.equal((await onlyDelivery(scene.user)).status, 'SUCCEEDED')
    await receiver.close()
    await scene.look()
    const after = await onlyDelivery(scene.user)
    assert.equal(after.status, 'SUCCEEDED', 'what the first one says comes too late')
    await other.stop()
  })

  for (const [kind, own] of [
    ['in the shared database', false],
    ['in a database of the tenant’s own', true],
  ] as const) {
    it(`call for help when one has more to send than it may: ${kind}`, async () => {
      await using scene = await setScene(
        'postgres',
        {},
        { deliveryLimits: { total: 4, tenant: 4, subscription: 2 } },
      )
      const members = own ? { connectionString: `sqlite:${uniqueName('own')}.db` } : {}
      const { user } = await scene.service.newTenant(members)
      const receiver = await scene.receiver(() => undefined)
      await subscribe(user, receiver, { events: ['thing.*'] })
      const other = await startInstance(scene.service)
      await delay(300)
      await Promise.all(Array.from({ length: 10 }, () => publish(user)))
      await eventually('all of them', soonMs, async () => receiver.requests.length >= 10)
      assert.equal(new Set(eventIds(receiver.requests)).size, 10)
      assert.equal((await deliveries(user, '&status=SENDING')).length, 10)
      await receiver.close()
      await other.stop()
    })
  }

  it('forget no subscription that was made at the other one', async () => {
    await using scene = await setScene('postgres')
    const other = await startInstance(scene.service)
    const { accessToken } = await scene.service.signIn('worker', scene.tenant.id)
    const receiver = await scene.receiver()
    await subscribe(other.anonymous.withToken(accessToken), receiver)
    await publish(scene.user)
    await scene.look()
    assert.equal(receiver.requests.length, 1)
    await other.stop()
  })
})

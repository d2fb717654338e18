/** Two instances on one PostgreSQL. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { StillClock } from '../../support/clock.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { type Instance, startInstance } from '../../support/instance.ts'
import { runsOf } from '../../support/run/extent.ts'
import { startService, type TestService, uniqueName } from '../../support/service.ts'
import {
  deliveries,
  eventIds,
  onlyDelivery,
  publish,
  sceneAt,
  setScene,
  subscribe,
} from '../../support/webhooks/delivery-scene.ts'

/** Events that are published at two instances. */
const events = runsOf(60, 200)

const kinds = [
  ['in the shared database', false],
  ['in a database of the tenant’s own', true],
] as const

describe('Two instances', () => {
  let first: TestService
  let other: Instance
  before(async () => {
    first = await startService('postgres')
    other = await startInstance(first)
  })
  after(async () => {
    await other.stop()
    await first.stop()
  })

  it('make each delivery once, whichever of them the event was published at', async () => {
    await using scene = await sceneAt(first)
    const receiver = await scene.receiver((response) => setTimeout(() => response.end(), 5))
    for (let count = 0; count < 3; count++) await scene.subscribe(receiver)
    const { accessToken } = await first.signIn('worker', scene.tenant.id)
    const clients = [scene.user, other.anonymous.withToken(accessToken)]
    const ids = await Promise.all(
      Array.from({ length: events }, (_, index) => publish(clients[index % 2] ?? scene.user)),
    )
    await Promise.all([scene.look(), other.service.queueWorkers.drain()])
    assert.deepEqual(eventIds(receiver.requests).toSorted(), [...ids, ...ids, ...ids].toSorted())
  })

  it('forget no subscription that was made at the other one', async () => {
    await using scene = await sceneAt(first)
    const { accessToken } = await first.signIn('worker', scene.tenant.id)
    const receiver = await scene.receiver()
    await subscribe(other.anonymous.withToken(accessToken), receiver)
    await publish(scene.user)
    await scene.look()
    assert.equal(receiver.requests.length, 1)
  })
})

it('Two instances take over from each other: a lease that has ended is nobody’s, wherever the rows are', async () => {
  await using scene = await setScene('postgres', {}, { clock: new StillClock().now })
  const ahead = new StillClock()
  const stages = await Promise.all(
    kinds.map(async ([, isOwn]) => {
      const { user } = await scene.service.newTenant(place(isOwn))
      const receiver = await scene.receiver((response) => {
        // Whoever comes first gets no answer: as if it had been killed while it waited.
        if (receiver.requests.length > 1) response.end()
      })
      await subscribe(user, receiver)
      await publish(user)
      return { user, receiver }
    }),
  )
  const counts = () => stages.map(({ receiver }) => receiver.requests.length)
  const reaches = (attempts: number) =>
    eventually(`attempt ${attempts}`, soonMs, async () => counts().every((count) => count === attempts))
  const succeed = async () => {
    for (const { user } of stages) assert.equal((await onlyDelivery(user)).status, 'SUCCEEDED')
  }
  await reaches(1)
  const other = await startInstance(scene.service, { clock: ahead.now })
  await other.service.queueWorkers.drain()
  assert.deepEqual(counts(), [1, 1])
  ahead.advance({ seconds: 59 })
  await other.service.queueWorkers.drain()
  assert.deepEqual(counts(), [1, 1])
  ahead.advance({ seconds: 2 })
  const [inShared] = stages
  await eventually(
    'the second attempt, by itself',
    soonMs,
    async () => inShared?.receiver.requests.length === 2,
  )
  await other.service.queueWorkers.drain() // databases of tenants are visited every 30 seconds
  assert.deepEqual(counts(), [2, 2])
  await succeed()
  for (const { receiver } of stages) await receiver.close()
  await scene.look()
  await succeed() // what the first one says comes too late
  await other.stop()
})

describe('Two instances that may send little', () => {
  const options = { deliveryLimits: { total: 4, tenant: 4, subscription: 2 } }
  let first: TestService
  let other: Instance
  before(async () => {
    first = await startService('postgres', {}, options)
    other = await startInstance(first)
  })
  after(async () => {
    await other.stop()
    await first.stop()
  })

  for (const [kind, isOwn] of kinds) {
    it(`call for help when one has more to send than it may, ${kind}`, async () => {
      await using scene = await sceneAt(first)
      const { user } = await scene.service.newTenant(place(isOwn))
      const receiver = await scene.receiver(() => undefined)
      await subscribe(user, receiver, { events: ['thing.*'] })
      await other.service.queueWorkers.drain() // it has looked on, and found nothing
      await Promise.all(Array.from({ length: 10 }, () => publish(user)))
      await eventually('all of them', soonMs, async () => receiver.requests.length >= 10)
      assert.equal(new Set(eventIds(receiver.requests)).size, 10)
      assert.equal((await deliveries(user, '&status=SENDING')).length, 10)
    })
  }
})

function place(isOwn: boolean): Record<string, unknown> {
  return isOwn ? { connectionString: `sqlite:${uniqueName('own')}.db` } : {}
}

/** Deliveries in progress are also bounded by their size. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newId } from '../../../../src/core/id.ts'
import { OwnerRights } from '../../../../src/core/owner.ts'
import { QueueData } from '../../../../src/database/data.ts'
import type { Database } from '../../../../src/database/executor.ts'
import { claimDeliveries } from '../../../../src/webhooks/outgoing/queue/claim.ts'
import { formatQueueKey } from '../../../../src/webhooks/outgoing/queue/key.ts'
import { DeliveryLimiter, defaultDeliveryLimits } from '../../../../src/webhooks/outgoing/queue/limiter.ts'
import { dataOfEvents, dueDeliveries } from '../../../../src/webhooks/outgoing/queue/sql.ts'
import { LostOwners } from '../../../../src/webhooks/outgoing/queue/subscription/lost-owner.ts'
import { StillClock } from '../../../support/clock.ts'
import { onEachDatabase, onEitherDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import {
  answering,
  deliveries,
  publish,
  type Scene,
  setScene,
  subscribe,
} from '../../../support/webhooks/delivery-scene.ts'
import { scenesOfOwn } from '../../scenes.ts'

const kib = 1024

describe('The bytes under way', () => {
  const limits = { ...defaultDeliveryLimits, bytes: 1000 }
  const key = (tenantId: string, subscriptionId = 's', kind: 'first' | 'retry' = 'first') =>
    formatQueueKey({ tenantId: `t${tenantId}`, subscriptionId: `${tenantId}-${subscriptionId}`, kind })

  it('leave no slot free once they are used up, and free them when they are given back', () => {
    const limiter = new DeliveryLimiter(limits)
    const each = key('a')
    while (limiter.acquireBytes(each, 50));
    assert.equal(limiter.available(each), 0)
    limiter.releaseBytes(each, 50)
    assert.ok(limiter.available(each) > 0)
  })

  it('never keep back one that is larger than all of them', () => {
    const limiter = new DeliveryLimiter(limits)
    assert.ok(limiter.available(key('a')) > 0)
    assert.ok(limiter.acquireBytes(key('a'), 5000))
    assert.equal(limiter.available(key('a')), 0)
    assert.equal(limiter.acquireBytes(key('b'), 1), false)
  })

  it('are never all those of one tenant, nor a tenant’s those of one subscription or of retries', () => {
    const limiter = new DeliveryLimiter(limits)
    const takeAll = (...given: Parameters<typeof key>) => {
      const before = limiter.bytesInUse
      while (limiter.acquireBytes(key(...given), 10));
      return limiter.bytesInUse - before
    }
    const [retries, ofSubscription] = [takeAll('a', 's', 'retry'), takeAll('a', 's')]
    assert.ok(retries > 0 && ofSubscription > 0)
    assert.ok(takeAll('a', 'other') > 0)
    assert.ok(limiter.bytesInUse <= 260)
    assert.ok(takeAll('b') > 0)
  })

  it('are left over for a newcomer while the events of many tenants hang', () => {
    const limiter = new DeliveryLimiter(limits)
    for (let index = 0; index < 20; index++) while (limiter.acquireBytes(key(`${index}`), 10));
    assert.ok(limiter.acquireBytes(key('newcomer'), 10))
  })
})

onEitherDatabase('Deliveries of large events', (database) => {
  it('are sent a few at a time, and all of them in the end', async () => {
    const bytes = 640 * kib
    await using scene = await setScene(database, {}, { deliveryLimits: { bytes } })
    const answers: (() => void)[] = []
    const receiver = await scene.receiver((response) => void answers.push(() => response.end()))
    const busiest = () => scene.service.service.deliveries.limiter.bytesInUse
    await scene.subscribe(receiver)
    const text = 'ä'.repeat(16 * kib)
    await Promise.all(Array.from({ length: 12 }, () => publish(scene.user, 'thing.happened', { text })))
    await eventually('the first', soonMs, async () => receiver.requests.length > 0)
    for (let count = 0; count < 12; count++) {
      await eventually('one more', soonMs, async () => answers.length > 0)
      // An eighth for a subscription, and the last one may go beyond.
      assert.ok(busiest() <= bytes / 8 + 33 * kib, `${busiest()}`)
      answers.shift()?.()
    }
    await scene.look()
    assert.equal(receiver.requests.length, 12)
    assert.equal(busiest(), 0)
    assert.deepEqual(
      new Set((await deliveries(scene.user)).map(({ status }) => status)),
      new Set(['SUCCEEDED']),
    )
  })

  it('are sent although one alone is larger than the bound', async () => {
    await using scene = await setScene(database, {}, { deliveryLimits: { bytes: 1000 } })
    const receiver = await scene.receiver()
    for (let count = 0; count < 3; count++) await scene.subscribe(receiver)
    await publish(scene.user, 'thing.happened', { text: 'a'.repeat(100 * kib) })
    await eventually('all of them', soonMs, async () => receiver.requests.length === 3)
    await scene.look()
    assert.equal(scene.service.service.deliveries.limiter.bytesInUse, 0)
  })
})

onEachDatabase('Deliveries that are claimed', (database) => {
  const setStill = scenesOfOwn(database, {}, { clock: new StillClock().now })

  it('are found by their size, and the data of an event is loaded once for all its deliveries', async () => {
    await using scene = await setStill()
    const { keys, eventId, database: own } = await fiveRetries(scene)
    const queue = new QueueData(own.executor)
    const permits = keys.map((key) => ({ key, permits: 8 }))
    const due = await dueDeliveries(queue, permits, later.toISOString())
    const sizes = due.map((each) => each.bytes)
    assert.deepEqual(sizes, new Array(5).fill(Buffer.byteLength(stored)))
    assert.deepEqual([...(await dataOfEvents(queue, due))], [[`${scene.tenant.id}/${eventId}`, stored]])
  })

  it('take nothing when the claim is not committed', async () => {
    await using scene = await setStill()
    const { keys, database: own } = await fiveRetries(scene)
    const { eventTypes, owners, permissions, rowRules } = (await scene.service.service.operator()).shared
    const limiter = new DeliveryLimiter(defaultDeliveryLimits)
    let reached = 0
    const breaking: Database = {
      ...own,
      transaction: (work) =>
        own.transaction(async (transaction) => {
          await work(transaction)
          reached = limiter.bytesInUse
          throw new Error('lost')
        }),
    }
    const access = { eventTypes, permissions, rowRules, rights: new OwnerRights(owners, permissions) }
    const claim = {
      tenantIds: [],
      inactive: new Set<string>(),
      keys,
      limiter,
      access,
      lost: new LostOwners(access),
      lease: newId(),
      until: '2027-01-01T01:00:01.000Z',
      now: later.toISOString(),
    }
    await assert.rejects(claimDeliveries(breaking, claim), /lost/)
    assert.equal(reached, 5 * Buffer.byteLength(stored))
    assert.deepEqual([limiter.inUse, limiter.bytesInUse], [0, 0])
  })
})

const later = new Date('2027-01-01T01:00:00.000Z')
const stored = JSON.stringify({ text: 'ä€😀' })

/** One event for five subscriptions whose receiver refused it. */
async function fiveRetries({ service, tenant, user, look, ...scene }: Scene) {
  const refusing = await scene.receiver(answering(500))
  const ids = await Promise.all(Array.from({ length: 5 }, () => subscribe(user, refusing)))
  const eventId = await publish(user, 'thing.happened', JSON.parse(stored))
  await look()
  const keys = ids.map((subscriptionId) =>
    formatQueueKey({ tenantId: tenant.id, subscriptionId, kind: 'retry' }),
  )
  return { keys, eventId, database: (await service.service.operator()).tenantDatabase }
}

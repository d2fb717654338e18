/** Receivers that hang do not delay other deliveries. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { acquirePermits } from '../../../../src/core/queue/permits.ts'
import { formatQueueKey, parseQueueKey } from '../../../../src/webhooks/outgoing/queue/key.ts'
import { DeliveryLimiter } from '../../../../src/webhooks/outgoing/queue/limiter.ts'
import type { Client } from '../../../support/client.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { runsOf } from '../../../support/run/extent.ts'
import { publish, setScene, subscribe } from '../../../support/webhooks/delivery-scene.ts'

/** `npm run bench` measures with ten thousand, and how long it takes. */
const queued = runsOf(400, 1000)
const samples = runsOf(20, 60)

onEitherDatabase('While many deliveries wait for receivers that hang', (database) => {
  it('another tenant’s come before any of them is given up', async () => {
    await using scene = await setScene(database)
    const hung = await scene.receiver(() => undefined)
    const good = await scene.receiver()
    const [victim, culprit] = [scene.user, (await scene.service.newTenant()).user]
    await subscribe(victim, good)
    for (let count = 0; count < 10; count++) await subscribe(culprit, hung, { events: ['slow.thing'] })
    await publishMany(culprit, queued / 10)
    await eventually('the first of the hung ones', soonMs, async () => hung.requests.length >= 80)
    for (let count = 1; count <= samples; count++) {
      await publish(victim)
      await eventually('an event of another tenant', soonMs, async () => good.requests.length === count)
    }
    assert.ok(hung.requests.length < queued)
    await hung.close()
  })
})

async function publishMany(client: Client, events: number): Promise<void> {
  await Promise.all(Array.from({ length: events }, () => publish(client, 'slow.thing')))
}

describe('Permits', () => {
  const limits = { total: 100, tenant: 60, subscription: 40, bytes: 4000 }
  const key = (tenantId: string, subscriptionId: string, kind: 'first' | 'retry' = 'first') =>
    formatQueueKey({ tenantId, subscriptionId, kind })

  it('are never all taken by one tenant, however many subscriptions it has', () => {
    const limiter = new DeliveryLimiter(limits)
    for (let index = 0; index < 50; index++) {
      const each = key('greedy', `s${index}`)
      limiter.acquire(each, limiter.available(each))
    }
    assert.ok(limiter.inUse <= 60)
    assert.ok(limiter.available(key('modest', 'x')) >= 8)
  })

  it('are left over for a newcomer while many tenants hang', () => {
    const limiter = new DeliveryLimiter(limits)
    for (let index = 0; index < 20; index++) {
      const each = key(`t${index}`, `s${index}`)
      limiter.acquire(each, limiter.available(each))
    }
    assert.ok(limiter.inUse > 75)
    assert.ok(limiter.available(key('modest', 'x')) >= 1)
  })

  it('are for retries only up to a half', () => {
    const limiter = new DeliveryLimiter(limits)
    const retries = key('t', 's', 'retry')
    assert.ok(limiter.available(retries) <= limiter.available(key('t', 's')) / 2)
    limiter.acquire(retries, limiter.available(retries))
    assert.equal(limiter.available(retries), 0)
    assert.ok(limiter.available(key('t', 's')) > 0)
  })

  it('grow in number for a receiver that answers, and shrink for one that fails', () => {
    const limiter = new DeliveryLimiter(limits)
    const before = limiter.available(key('t', 's'))
    const subscription = { tenantId: 't', subscriptionId: 's' }
    for (let count = 0; count < 100; count++) limiter.adapt(subscription, true)
    assert.equal(limiter.available(key('t', 's')), limits.subscription)
    for (let count = 0; count < 10; count++) limiter.adapt(subscription, false)
    assert.ok(limiter.available(key('t', 's')) < before)
    assert.ok(limiter.available(key('t', 's')) >= 1)
  })

  it('that are given back are free again', () => {
    const limiter = new DeliveryLimiter(limits)
    const each = key('t', 's')
    const before = limiter.available(each)
    limiter.acquire(each, before)
    limiter.release(each, before)
    assert.deepEqual([limiter.inUse, limiter.available(each)], [0, before])
  })

  it('are shared evenly among keys that are due', () => {
    const limiter = new DeliveryLimiter({ total: 1000, tenant: 500, subscription: 100, bytes: 1 }, 24)
    const keys = ['a', 'b', 'c', 'd'].map((id) => key('t', id))
    const acquired = acquirePermits(keys, limiter)
    assert.deepEqual(
      acquired.map(({ key: text, permits }) => [parseQueueKey(text).subscriptionId, permits]),
      [
        ['a', 6],
        ['b', 6],
        ['c', 6],
        ['d', 6],
      ],
    )
    assert.equal(limiter.inUse, 24)
  })
})

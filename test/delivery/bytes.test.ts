/** What is under way at once is bounded by its size as well. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EventTypes } from '../../src/core/events/event-type.ts'
import { QueueData } from '../../src/database/data.ts'
import type { Database } from '../../src/database/executor.ts'
import { pull } from '../../src/webhooks/outgoing/queue/claim.ts'
import { dataOfEvents, dueWithin } from '../../src/webhooks/outgoing/queue/due/sql.ts'
import { lineName } from '../../src/webhooks/outgoing/queue/lane.ts'
import { Slots, usualLimits } from '../../src/webhooks/outgoing/queue/slots.ts'
import { eventually, soonMs } from '../concurrency/eventually.ts'
import { onEachDatabase } from '../harness/databases.ts'
import { answering, deliveries, publish, type Scene, setScene, subscribe } from './scene.ts'
import { StillClock } from './still-clock.ts'

const kib = 1024

describe('The bytes under way', () => {
  const limits = { ...usualLimits, bytes: 1000 }
  const line = (tenantId: string, subscriptionId = 's', lane: 'first' | 'retry' = 'first') => ({
    tenantId: `t${tenantId}`,
    subscriptionId: `${tenantId}-${subscriptionId}`,
    lane,
  })

  it('leave no slot free once they are used up, and free them when they are given back', () => {
    const slots = new Slots(limits)
    const each = line('a')
    while (slots.takeBytes(each, 50));
    assert.equal(slots.free(each), 0)
    slots.giveBackBytes(each, 50)
    assert.ok(slots.free(each) > 0)
  })

  it('never keep back one that is larger than all of them', () => {
    const slots = new Slots(limits)
    assert.ok(slots.free(line('a')) > 0)
    assert.ok(slots.takeBytes(line('a'), 5000))
    assert.equal(slots.free(line('a')), 0)
    assert.equal(slots.takeBytes(line('b'), 1), false)
  })

  it('are never all those of one tenant, nor a tenant’s those of one subscription or of retries', () => {
    const slots = new Slots(limits)
    const takeAll = (...given: Parameters<typeof line>) => {
      const before = slots.bytesInUse
      while (slots.takeBytes(line(...given), 10));
      return slots.bytesInUse - before
    }
    const [retries, ofSubscription] = [takeAll('a', 's', 'retry'), takeAll('a', 's')]
    assert.ok(retries > 0 && ofSubscription > 0)
    assert.ok(takeAll('a', 'other') > 0)
    assert.ok(slots.bytesInUse <= 260)
    assert.ok(takeAll('b') > 0)
  })

  it('are left over for a newcomer while the events of many tenants hang', () => {
    const slots = new Slots(limits)
    for (let index = 0; index < 20; index++) while (slots.takeBytes(line(`${index}`), 10));
    assert.ok(slots.takeBytes(line('newcomer'), 10))
  })
})

onEachDatabase('Deliveries of large events', (database) => {
  it('are sent a few at a time, and all of them in the end', async () => {
    const bytes = 640 * kib
    await using scene = await setScene(database, {}, { deliveryLimits: { bytes } })
    const answers: (() => void)[] = []
    const receiver = await scene.receiver((response) => void answers.push(() => response.end()))
    const busiest = () => scene.service.service.deliveries.slots.bytesInUse
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
    assert.equal(scene.service.service.deliveries.slots.bytesInUse, 0)
  })

  it('are found by their size, and the data of an event is loaded once for all its deliveries', async () => {
    await using scene = await setScene(database, {}, { clock: new StillClock().now })
    const { lines, eventId, database: own } = await fiveRetries(scene)
    const queue = new QueueData(own.executor)
    const grants = lines.map((line) => ({ line, most: 8 }))
    const due = await dueWithin(queue, grants, later.toISOString())
    const sizes = due.map((each) => each.bytes)
    assert.deepEqual(sizes, new Array(5).fill(Buffer.byteLength(stored)))
    assert.deepEqual([...(await dataOfEvents(queue, due))], [[`${scene.tenant.id}/${eventId}`, stored]])
  })

  it('take nothing when the claim is not committed', async () => {
    await using scene = await setScene(database, {}, { clock: new StillClock().now })
    const { lines, database: own } = await fiveRetries(scene)
    const slots = new Slots(usualLimits)
    let reached = 0
    const breaking: Database = {
      ...own,
      transaction: (work) =>
        own.transaction(async (transaction) => {
          await work(transaction)
          reached = slots.bytesInUse
          throw new Error('lost')
        }),
    }
    const claim = {
      tenantIds: [],
      paused: new Set<string>(),
      lines,
      slots,
      eventTypes: new EventTypes([]),
      now: later,
      leaseMs: 1000,
    }
    await assert.rejects(pull(breaking, claim), /lost/)
    assert.equal(reached, 5 * Buffer.byteLength(stored))
    assert.deepEqual([slots.inUse, slots.bytesInUse], [0, 0])
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
  const lines = ids.map((subscriptionId) => lineName({ tenantId: tenant.id, subscriptionId, lane: 'retry' }))
  return { lines, eventId, database: (await service.service.operator()).tenantDatabase }
}

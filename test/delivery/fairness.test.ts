/** Receivers that hang hold up nobody else. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { allot } from '../../src/webhooks/outgoing/queue/due-index.ts'
import { lineName, parseLine } from '../../src/webhooks/outgoing/queue/lane.ts'
import { Slots } from '../../src/webhooks/outgoing/queue/slots.ts'
import { eventually, soonMs } from '../concurrency/eventually.ts'
import type { Client } from '../harness/client.ts'
import { onEachDatabase } from '../harness/databases.ts'
import { publish, setScene, subscribe } from './scene.ts'

/** `npm run bench` measures with ten thousand, and how long it takes. */
const queued = 1000
const samples = 60

onEachDatabase('While many deliveries wait for receivers that hang', (database) => {
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

describe('Slots', () => {
  const limits = { total: 100, tenant: 60, subscription: 40, bytes: 4000 }
  const line = (tenantId: string, subscriptionId: string, lane: 'first' | 'retry' = 'first') => ({
    tenantId,
    subscriptionId,
    lane,
  })

  it('are never all taken by one tenant, however many subscriptions it has', () => {
    const slots = new Slots(limits)
    for (let index = 0; index < 50; index++) {
      const each = line('greedy', `s${index}`)
      slots.take(each, slots.free(each))
    }
    assert.ok(slots.inUse <= 60)
    assert.ok(slots.free(line('modest', 'x')) >= 8)
  })

  it('are left over for a newcomer while many tenants hang', () => {
    const slots = new Slots(limits)
    for (let index = 0; index < 20; index++) {
      const each = line(`t${index}`, `s${index}`)
      slots.take(each, slots.free(each))
    }
    assert.ok(slots.inUse > 75)
    assert.ok(slots.free(line('modest', 'x')) >= 1)
  })

  it('are for retries only up to a half', () => {
    const slots = new Slots(limits)
    const retries = line('t', 's', 'retry')
    assert.ok(slots.free(retries) <= slots.free(line('t', 's')) / 2)
    slots.take(retries, slots.free(retries))
    assert.equal(slots.free(retries), 0)
    assert.ok(slots.free(line('t', 's')) > 0)
  })

  it('grow in number for a receiver that answers, and shrink for one that fails', () => {
    const slots = new Slots(limits)
    const before = slots.free(line('t', 's'))
    for (let count = 0; count < 100; count++) slots.learn(line('t', 's'), true)
    assert.equal(slots.free(line('t', 's')), limits.subscription)
    for (let count = 0; count < 10; count++) slots.learn(line('t', 's'), false)
    assert.ok(slots.free(line('t', 's')) < before)
    assert.ok(slots.free(line('t', 's')) >= 1)
  })

  it('that are given back are free again', () => {
    const slots = new Slots(limits)
    const each = line('t', 's')
    const before = slots.free(each)
    slots.take(each, before)
    slots.giveBack(each, before)
    assert.deepEqual([slots.inUse, slots.free(each)], [0, before])
  })

  it('are shared evenly among lines that are due', () => {
    const slots = new Slots({ total: 1000, tenant: 500, subscription: 100, bytes: 1 })
    const names = ['a', 'b', 'c', 'd'].map((id) => lineName(line('t', id)))
    const grants = allot(names, slots, 24)
    assert.deepEqual(
      grants.map(({ line: name, most }) => [parseLine(name).subscriptionId, most]),
      [
        ['a', 6],
        ['b', 6],
        ['c', 6],
        ['d', 6],
      ],
    )
    assert.equal(slots.inUse, 24)
  })
})

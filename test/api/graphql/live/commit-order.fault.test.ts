/** Followers get every event once, in whatever order transactions begin and commit. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { onEachDatabase } from '../../../support/databases.ts'
import { EventReader, orderIn, type ServerEvent } from '../../../support/graphql/event-reader.ts'
import { openShop } from '../../../support/graphql/order-subscription.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'
import { Crowd, kinds, type Step } from './crowd.ts'
import { HeldEvents } from './held-events.ts'

describe('Transactions that commit in another order than they began in', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService('postgres', {}, { subscriptionSweepMs: 20 })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  it('are told of once each: to who is there all the time, and to who goes on from any mark in between', async () => {
    const shop = await openShop(tenant.user)
    const prepared = await shop.orders(3)
    await using held = new HeldEvents(service.config.databaseUrl, tenant.id)
    await using reader = await EventReader.open(tenant.user)
    const [first = '', second = '', third = ''] = prepared
    const told: ServerEvent[] = []
    const expectNext = async (ids: readonly string[]) => {
      const next = await reader.inbox.take(ids.length)
      told.push(...next)
      assert.deepEqual(next.map(orderIn).toSorted(), [...ids].toSorted())
    }

    const commitFirst = await held.hold(first)
    await expectNext(await shop.orders(3))
    const commitSecond = await held.hold(second)
    await expectNext(await shop.rush(150))
    const commitThird = await held.hold(third)
    await commitSecond()
    await expectNext([second])
    await expectNext(await shop.orders(2))
    await commitThird()
    await expectNext([third])
    await commitFirst()
    await expectNext([first])
    await expectNext(await shop.orders(1))

    assert.equal(new Set(told.map(orderIn)).size, told.length)
    for (const place of [0, 1, 2, 3, 50, 101, 102, 103, 151, 152, 153, 154, 155, 156, 157]) {
      await using resumed = await EventReader.open(tenant.user, { after: told[place]?.id ?? '' })
      const missed = told.slice(place + 1).map(orderIn)
      const heard = (await resumed.inbox.take(missed.length)).map(orderIn)
      assert.deepEqual(heard.toSorted(), missed.toSorted(), `from ${place}`)
      assert.equal(await resumed.inbox.nextWithin(50), null)
    }
  })
})

const steps: fc.Arbitrary<Step[]> = fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(5)), {
  minLength: 20,
  maxLength: 60,
})

onEachDatabase('In any order of orders, joins and departures', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database, {}, { subscriptionSweepMs: 10 })
  })
  after(() => service.stop())

  it('each follower is told of each event once', async () => {
    const property = fc.asyncProperty(steps, async (each) => {
      await using crowd = await Crowd.gather(service, database, each.length)
      for (const [kind, which] of each) await crowd.take(kind, which)
      await crowd.assertAllTold()
    })
    await fc.assert(property, { numRuns: 15, endOnFailure: true })
  })
})

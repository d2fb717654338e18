/** Our own events may come back as webhooks, and a loop of them ends. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newEventId } from '../../../../src/core/id.ts'
import { maxLoopCount, maxRunsOfChain } from '../../../../src/webhooks/incoming/run/chain.ts'
import type { Answer, Client } from '../../../support/client.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { eventsOf } from '../../../support/orders.ts'
import { atAnyCost } from '../../../support/service.ts'
import { subscribe } from '../../../support/webhooks/delivery-scene.ts'
import {
  addRule,
  addRules,
  receipt,
  receipts,
  secret,
  send,
  setProvider,
  signed,
} from '../../../support/webhooks/provider.ts'
import { scenesOfOwn } from '../../scenes.ts'

/** Rules of each receipt, of which some publish an event: the actions of four receipts are as many as a chain may have. */
const breadth = maxRunsOfChain / 4
const publishing = 2

/** The receipts that the ball has led to. */
async function ofCircle(user: Client, status: string): Promise<Answer['body'][]> {
  const found = await receipts(user, `&status=${status}`)
  return found.filter(({ eventType }) => eventType.endsWith('ball.thrown'))
}

/** As many have run as may run, and nothing waits. */
async function hasEnded(user: Client): Promise<boolean> {
  const [waiting, ran] = [await receipts(user, '&status=PENDING'), await ofCircle(user, 'SUCCEEDED')]
  return (
    waiting.length === 0 &&
    ran.length * breadth >= maxRunsOfChain &&
    (await ofCircle(user, 'LOOPED')).length > 0
  )
}

onEitherDatabase('A circle of webhooks', (database) => {
  const setScene = scenesOfOwn(database, {}, atAnyCost)

  it('is ended by the hops that deliveries tell, and the log shows where', async () => {
    await using scene = await setScene()
    const { service, tenant } = scene
    const { admin, user } = tenant
    await setProvider(admin, 'self', { scheme: 'standard-webhooks' })
    await addRule(user, 'publish', '*', 'self')
    const outside = await scene.receiver()
    await scene.subscribe(outside, { events: ['*'] })
    const url = `${service.url}/api/webhooks/receive/self?tenant=${tenant.id}`
    await subscribe(user, { url }, { events: ['*'], secret })
    await scene.publish('ball.thrown')
    await eventually('the end of the circle', soonMs, async () => {
      await scene.look()
      return (await receipts(user, '&status=LOOPED')).length > 0
    })
    await scene.look()
    const thrown = (await receipts(user)).filter(({ eventType }) => eventType.endsWith('ball.thrown'))
    assert.deepEqual(
      thrown.toReversed().map(({ hops, status }) => [hops, status]),
      [0, 1, 2, 3, 4, 5].map((hops) => [hops, hops < 5 ? 'SUCCEEDED' : 'LOOPED']),
    )
    assert.deepEqual((await receipt(user, thrown[0].id)).runs, [])
    const told = outside.requests
      .filter(({ body }) => body.includes('ball.thrown'))
      .map(({ headers }) => headers['x-tenantry-hops'])
    assert.deepEqual(told, [undefined, '1', '2', '3', '4', '5'])
  })

  it('is ended by what it has run, however broad it is, also between two tenants', async () => {
    await using scene = await setScene()
    const { service } = scene
    const tenants = [scene.tenant, await service.newTenant()]
    for (const { admin, user } of tenants) {
      await setProvider(admin, 'self', { scheme: 'standard-webhooks' })
      await addRules(service, user, 'publish', publishing, '*', 'self')
      await addRules(service, user, 'log', breadth - publishing, '*', 'self')
      for (const { id } of tenants) {
        const url = `${service.url}/api/webhooks/receive/self?tenant=${id}`
        await subscribe(user, { url }, { events: ['*'], secret })
      }
    }
    const origin = await scene.publish('ball.thrown')
    await eventually('the end of the circle', soonMs, async () => {
      await scene.look()
      const isOver = await Promise.all(tenants.map(({ user }) => hasEnded(user)))
      return isOver.every(Boolean)
    })
    for (const { user, id } of tenants) {
      const ran = await ofCircle(user, 'SUCCEEDED')
      assert.equal(ran.length * breadth, maxRunsOfChain, 'so many actions in a tenant')
      const ended = await ofCircle(user, 'LOOPED')
      const early = ended.filter(({ hops }) => hops < maxLoopCount)
      assert.ok(early.length > 0)
      assert.equal((await receipt(user, early[0].id)).headers['x-tenantry-origin'], origin)
      const published = (await eventsOf(service, id)).filter(({ type }) => /^self.*thrown$/.test(type))
      assert.equal(published.length, ran.length * publishing)
    }
  })

  it('begins anew with each event, and with each receipt from somebody else', async () => {
    await using scene = await setScene()
    const { service, tenant } = scene
    await setProvider(tenant.admin)
    const status = async (headers: Record<string, string>) => {
      const text = JSON.stringify({ type: 'a.b', at: Math.random() })
      const { body } = await send(service, tenant, text, { 'stripe-signature': signed(text), ...headers })
      return (await receipt(tenant.user, body.id)).status
    }
    await addRules(service, tenant.user, 'log', maxRunsOfChain / 2)
    const [one, other, third] = [newEventId(), newEventId(), newEventId()]
    for (const expected of ['PENDING', 'PENDING', 'LOOPED', 'LOOPED'])
      assert.equal(await status({ 'x-webhook-id': one }), expected)
    assert.equal(
      await status({ 'x-webhook-id': third, 'x-tenantry-hops': '1', 'x-tenantry-origin': one }),
      'LOOPED',
    )
    assert.equal(await status({ 'x-webhook-id': other }), 'PENDING')
    // What others call so may be the same each time: it is no event of ours.
    for (let count = 0; count < 4; count++) assert.equal(await status({ 'x-webhook-id': 'evt_1' }), 'PENDING')
  })

  it('cannot be hidden by a header that is no number', async () => {
    await using scene = await setScene()
    const { admin, user } = scene.tenant
    await setProvider(admin)
    const status = async (hops: string) => {
      const text = JSON.stringify({ hops })
      const headers = { 'stripe-signature': signed(text), 'x-tenantry-hops': hops }
      const { body } = await send(scene.service, scene.tenant, text, headers)
      return (await receipt(user, body.id)).status
    }
    assert.equal(await status('4'), 'UNMATCHED')
    for (const hops of ['5', '1e9', '-1', 'x', '99999']) assert.equal(await status(hops), 'LOOPED', hops)
  })
})

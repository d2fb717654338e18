/** Our own events may come back to us, and a circle of them ends. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually } from '../concurrency/eventually.ts'
import { setScene, subscribe } from '../delivery/scene.ts'
import { onEachDatabase } from '../harness/databases.ts'
import { addRule, receipt, receipts, secret, send, setProvider, signed } from './sender.ts'

onEachDatabase('A circle of webhooks', (database) => {
  it('is ended by the hops that deliveries tell, and the log shows where', async () => {
    await using scene = await setScene(database)
    const { service, tenant } = scene
    const { user } = tenant
    await setProvider(user, 'self', { scheme: 'standard-webhooks' })
    await addRule(user, 'publish', '*', 'self')
    const outside = await scene.receiver()
    await scene.subscribe(outside, { events: ['*'] })
    const url = `${service.url}/api/webhooks/receive/self?tenant=${tenant.id}`
    await subscribe(user, { url }, { events: ['*'], secret })
    await scene.publish('ball.thrown')
    await eventually('the end of the circle', 10_000, async () => {
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

  it('cannot be hidden by a header that is no number', async () => {
    await using scene = await setScene(database)
    const { user } = scene.tenant
    await setProvider(user)
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

/** What a portal shows after a change of a text that was too long for the event to keep it. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { all, entity, text } from '../../../src/index.ts'
import { migrated } from '../../entity/migrated.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { deliveries, setScene } from '../../support/webhooks/delivery-scene.ts'
import { changeSubscription, register } from '../subscriptions/registration.ts'
import { openPortal } from './portal.ts'

const sale = entity('sale', {
  fields: { buyer: text({ max: 500 }), seller: text({ max: 500 }) },
  sort: ['buyer', 'seller'],
  access: { rows: ({ row, actor }) => all(row.buyer.is(actor.customer), row.seller.is(actor.customer)) },
})

onEachDatabase('A portal', (database) => {
  it('does not take a former text for the one after it', async () => {
    await using scene = await setScene(database, {}, { features: migrated([sale]) })
    const { admin } = scene.tenant
    const events = ['sale.*']
    const { id: subscriptionId } = await register(admin, { url: (await scene.receiver()).url, events })
    const add = async (buyer: string, seller: string) => {
      const { status, text: reply, body } = await admin.post('/api/sales', { buyer, seller })
      assert.equal(status, 201, reply)
      return body.id
    }
    const change = async (id: string, buyer: string, seller: string) =>
      assert.equal((await admin.patch(`/api/sales/${id}`, { buyer, seller })).status, 200)
    const long = 'x'.repeat(300)
    // Neither before nor after the change are both of the customer.
    await change(await add(long, 'c-1'), 'c-1', 'c-2')
    await change(await add('c-1', 'c-1'), long, 'c-1')
    await scene.look()
    assert.equal((await deliveries(admin)).length, 4)
    assert.equal((await changeSubscription(admin, subscriptionId, { customer: 'c-1' })).status, 200)
    const { client } = await openPortal(admin, scene.service.anonymous, { events, customer: 'c-1' })
    const types = (await deliveries(client)).map(({ eventType }) => eventType)
    assert.deepEqual(types.toSorted(), ['sale.created', 'sale.updated'])
  })
})

/** How many deliveries one transaction dispatches. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { withOwnerRights } from '../../../../src/core/owner.ts'
import { QueueData } from '../../../../src/database/data.ts'
import { dispatchEvents, maxDispatched } from '../../../../src/webhooks/outgoing/outbox/dispatch.ts'
import { LostOwners } from '../../../../src/webhooks/outgoing/queue/subscription/lost-owner.ts'
import { maxSubscriptions } from '../../../../src/webhooks/subscriptions/limit.ts'
import { inspect } from '../../../support/database/inspect.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { copyRow } from '../../../support/webhooks/copies.ts'
import { publish, setScene, subscribe } from '../../../support/webhooks/delivery-scene.ts'

const url = 'https://example.com/hooks'

onEachDatabase('Many events for many subscriptions', (database) => {
  const most = maxDispatched[database].deliveries
  /** For more than two transactions. */
  const events = (2 * most) / maxSubscriptions + 2

  it('become deliveries a part at a time, and each tenant’s have their turn', async () => {
    await using scene = await setScene(database)
    const { user: many, service } = scene
    const few = await service.newTenant()
    await service.service.queueWorkers.stop()
    await copyRow(service.service, 'subscription', await subscribe(many, { url }), maxSubscriptions - 1)
    for (let count = 0; count < 2; count++) await subscribe(few.user, { url })
    await Promise.all(Array.from({ length: events }, () => publish(many)))
    const last = await publish(few.user)

    const where = `FROM delivery JOIN event ON event.id = delivery.event_id WHERE event.type = 'thing.happened'`
    const dispatched = async () => inspect(service.config.databaseUrl, `SELECT event_id ${where}`)
    const { shared, tenantDatabase } = await service.service.operator()
    const tenants = [scene.tenant.id, few.id]
    let before = 0
    for (let isMore = true, turn = 1; isMore; turn++) {
      const { eventTypes, permissions, rowRules } = shared
      const result = await withOwnerRights(shared, (rights) => {
        const access = { eventTypes, permissions, rowRules, rights }
        const options = { ...access, lost: new LostOwners(access), now: new Date().toISOString() }
        return tenantDatabase.transaction((transaction) =>
          dispatchEvents(new QueueData(transaction), tenants, options),
        )
      })
      isMore = result.isMore
      const after = await dispatched()
      assert.ok(after.length - before <= most, `${after.length - before}`)
      assert.equal(after.filter((row) => row['event_id'] === last).length, 2, 'it waits behind the others')
      assert.ok(turn <= (events * maxSubscriptions) / most + 2)
      before = after.length
    }
    assert.equal(before, events * maxSubscriptions + 2)
    assert.ok(before > 2 * most)
  })
})

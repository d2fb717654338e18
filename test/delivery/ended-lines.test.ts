/** What waits for subscriptions that are gone is ended a part at a time. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { mostEnded, pull } from '../../src/webhooks/outgoing/queue/claim.ts'
import { lineName } from '../../src/webhooks/outgoing/queue/lane.ts'
import { Slots, usualLimits } from '../../src/webhooks/outgoing/queue/slots.ts'
import { inspect } from '../database/inspect.ts'
import { onEachDatabase } from '../harness/databases.ts'
import { publish, setScene, subscribe } from './scene.ts'

const subscriptions = 4
const events = 60

onEachDatabase('Deliveries of deleted subscriptions', (database) => {
  it('are ended in transactions that everybody else can wait for', async () => {
    await using scene = await setScene(database)
    const { service, tenant, user } = scene
    await service.service.deliveries.stop()
    const ids: string[] = []
    while (ids.length < subscriptions) ids.push(await subscribe(user, { url: 'https://example.com/hooks' }))
    for (let count = 0; count < events; count++) await publish(user)
    const { shared, tenantDatabase } = await service.service.operator()
    const lines = ids.map((subscriptionId) =>
      lineName({ tenantId: tenant.id, subscriptionId, lane: 'first' }),
    )
    const pullOnce = (tenantIds: readonly string[], paused: readonly string[] = []) =>
      pull(tenantDatabase, {
        ...{ tenantIds, paused: new Set(paused), lines, slots: new Slots(usualLimits) },
        ...{ eventTypes: shared.eventTypes, now: new Date(), leaseMs: 1000 },
      })
    while ((await pullOnce([tenant.id], [tenant.id])).isMore);
    for (const id of ids) await user.delete(`/api/webhooks/subscriptions/${id}`)

    const ended = async () =>
      (await inspect(service.config.databaseUrl, `SELECT id FROM delivery WHERE status = 'DEAD'`)).length
    let before = 0
    while (before < subscriptions * events) {
      await pullOnce([])
      const after = await ended()
      assert.ok(after > before && after - before <= mostEnded[database], `${after - before} at once`)
      before = after
    }
    assert.equal(before, subscriptions * events)
  })
})

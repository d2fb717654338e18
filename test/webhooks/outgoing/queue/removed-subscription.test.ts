/** Pending deliveries of removed subscriptions are ended in batches. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { newId } from '../../../../src/core/id.ts'
import { withOwnerRights } from '../../../../src/core/owner.ts'
import { claimDeliveries, maxEnded } from '../../../../src/webhooks/outgoing/queue/claim.ts'
import { formatQueueKey } from '../../../../src/webhooks/outgoing/queue/key.ts'
import { DeliveryLimiter, defaultDeliveryLimits } from '../../../../src/webhooks/outgoing/queue/limiter.ts'
import { LostOwners } from '../../../../src/webhooks/outgoing/queue/subscription/lost-owner.ts'
import { inspect } from '../../../support/database/inspect.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { publish, setScene, subscribe } from '../../../support/webhooks/delivery-scene.ts'

const subscriptions = 4
const events = 40

onEachDatabase('Deliveries of deleted subscriptions', (database) => {
  it('are ended in transactions that everybody else can wait for', async () => {
    await using scene = await setScene(database)
    const { service, tenant, user } = scene
    await service.service.queueWorkers.stop()
    const ids: string[] = []
    while (ids.length < subscriptions) ids.push(await subscribe(user, { url: 'https://example.com/hooks' }))
    for (let count = 0; count < events; count++) await publish(user)
    const { shared, tenantDatabase } = await service.service.operator()
    const keys = ids.map((subscriptionId) =>
      formatQueueKey({ tenantId: tenant.id, subscriptionId, kind: 'first' }),
    )
    const claimOnce = (tenantIds: readonly string[], inactive: readonly string[] = []) =>
      withOwnerRights(shared, (rights) => {
        const { eventTypes, permissions, rowRules } = shared
        const access = { eventTypes, permissions, rowRules, rights }
        return claimDeliveries(tenantDatabase, {
          tenantIds,
          inactive: new Set(inactive),
          keys,
          lease: newId(),
          now: new Date().toISOString(),
          until: new Date(Date.now() + 1000).toISOString(),
          limiter: new DeliveryLimiter(defaultDeliveryLimits),
          access,
          lost: new LostOwners(access),
        })
      })
    while ((await claimOnce([tenant.id], [tenant.id])).isMore);
    for (const id of ids) await user.delete(`/api/webhooks/subscriptions/${id}`)

    const ended = async () =>
      (await inspect(service.config.databaseUrl, `SELECT id FROM delivery WHERE status = 'DEAD'`)).length
    let before = 0
    while (before < subscriptions * events) {
      await claimOnce([])
      const after = await ended()
      assert.ok(after > before && after - before <= maxEnded[database], `${after - before} at once`)
      before = after
    }
    assert.equal(before, subscriptions * events)
  })
})

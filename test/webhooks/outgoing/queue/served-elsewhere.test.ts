/** Deliveries that must not be sent from this queue: their tenant has moved, or is being moved. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { serviceContext } from '../../../../src/core/create-context.ts'
import { writeEvent } from '../../../../src/core/events/publish.ts'
import { tenantChange } from '../../../../src/core/tenant/directory.ts'
import { inCatalogue } from '../../../../src/core/transaction.ts'
import { updateTenantRow } from '../../../../src/tenancy/sql.ts'
import type { Client } from '../../../support/client.ts'
import { inspect } from '../../../support/database/inspect.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { uniqueName } from '../../../support/service.ts'
import {
  answering,
  deliveries,
  eventIds,
  onlyDelivery,
  type Scene,
} from '../../../support/webhooks/delivery-scene.ts'
import { scenesOfShared } from '../../scenes.ts'

onEitherDatabase('Deliveries', (database) => {
  const setScene = scenesOfShared(database)

  it('that a tenant has left behind are not sent from the old place, and are when it is back', async () => {
    await using scene = await setScene()
    const { service, tenant } = scene
    const receiver = await scene.receiver(answering(500))
    await scene.subscribe(receiver, { events: ['thing.*'], retrySeconds: [3600] })
    await scene.publish()
    await scene.look()
    assert.equal((await onlyDelivery(tenant.user)).attempts, 1)
    const path = `/api/tenants/${tenant.id}`
    await service.host.put(path, { connectionString: `sqlite:${uniqueName('elsewhere')}.db` })
    await isServed(tenant.user)
    const due = `UPDATE delivery SET next_at = '2020-01-01T00:00:00.000Z' WHERE tenant_id = '${tenant.id}'`
    await inspect(service.config.databaseUrl, due)
    await scene.look()
    assert.equal(receiver.requests.length, 1)
    await service.host.put(path, { connectionString: null })
    await scene.look()
    assert.equal(receiver.requests.length, 2)
  })

  it('are made in the new place of what somebody records in the old one', async () => {
    await using scene = await setScene()
    const { service, tenant } = scene
    await service.host.put(`/api/tenants/${tenant.id}`, {
      connectionString: `sqlite:${uniqueName('elsewhere')}.db`,
    })
    await isServed(tenant.user)
    const receiver = await scene.receiver()
    await scene.subscribe(receiver)
    const { shared } = await service.service.operator()
    const { catalogueDatabase } = shared
    const id = await catalogueDatabase.transaction((transaction) =>
      writeEvent(serviceContext(shared, catalogueDatabase, transaction), 'thing.happened', {}, tenant.id),
    )
    await scene.look()
    assert.deepEqual(eventIds(receiver.requests), [id])
  })

  it('and events of a tenant that is about to be moved wait until it has been', async () => {
    await using scene = await setScene()
    const receiver = await scene.receiver()
    await scene.subscribe(receiver)
    await pauseUntil(scene, '9999-12-31T00:00:00.000Z')
    await scene.publish()
    await scene.look()
    assert.deepEqual(await deliveries(scene.user), [])
    assert.equal(receiver.requests.length, 0)
    await pauseUntil(scene, null)
    await scene.look()
    assert.equal(receiver.requests.length, 1)
  })
})

async function isServed(user: Client): Promise<void> {
  await eventually('the new place', soonMs, async () => (await user.get('/api/products')).status === 200)
}

async function pauseUntil({ service, tenant }: Scene, moment: string | null): Promise<void> {
  await inCatalogue(await service.service.operator(), async (inside) => {
    await updateTenantRow(inside.installationData, tenant.id, { paused_until: moment })
    await inside.transaction?.announce(tenantChange(tenant.id))
  })
}

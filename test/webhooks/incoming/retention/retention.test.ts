import assert from 'node:assert/strict'
import { it } from 'node:test'
import { removeReceipts } from '../../../../src/webhooks/incoming/retention/retention.ts'
import { inspect } from '../../../support/database/inspect.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { startService } from '../../../support/service.ts'
import { addRule, receipts, received, setProvider } from '../../../support/webhooks/provider.ts'
import { flakyFeature } from '../failing-action.ts'

onEachDatabase('Old receipts', (database) => {
  it('go with their runs, unless something of them is still tried again', async () => {
    const mood = { failures: 1, tenantId: '', seen: [] }
    const service = await startService(database, {}, { features: [flakyFeature(mood)] })
    try {
      const tenant = await service.newTenant()
      mood.tenantId = tenant.id
      await setProvider(tenant.admin)
      await addRule(tenant.user, 'flaky.try')
      const waiting = await received(service, tenant, { data: { amount: 1 } })
      const done = await received(service, tenant, { data: { amount: 2 } })
      const { catalogueDatabase } = (await service.service.operator()).shared
      const remove = (before: number) => removeReceipts(catalogueDatabase, new Date(before))
      await remove(Date.now() - 60_000)
      assert.deepEqual(
        (await receipts(tenant.user)).map(({ id }) => id).toSorted(),
        [waiting, done].toSorted(),
      )
      await remove(Date.now() + 60_000)
      assert.deepEqual(
        (await receipts(tenant.user)).map(({ id }) => id),
        [waiting],
      )
      const runs = await inspect(service.config.databaseUrl, 'SELECT receipt_id FROM webhook_run')
      assert.deepEqual(
        runs.map((run) => run['receipt_id']),
        [waiting],
      )
      assert.notEqual(await received(service, tenant, { data: { amount: 2 } }), done)
    } finally {
      await service.stop()
    }
  })
})

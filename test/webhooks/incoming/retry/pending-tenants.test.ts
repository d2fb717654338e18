/** A tenant's own database with a waiting action stays pending, however long it waits. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { StillClock } from '../../../support/clock.ts'
import { inspect } from '../../../support/database/inspect.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { startService } from '../../../support/service.ts'
import { addRule, send, setProvider, signed } from '../../../support/webhooks/provider.ts'
import { flakyFeature, type Mood } from '../failing-action.ts'

onEachDatabase('The mark on a database of its own', (database) => {
  it('stays while an action waits there, and goes when none does', async () => {
    const clock = new StillClock()
    const mood: Mood = { failures: 1, tenantId: '', seen: [] }
    const features = [flakyFeature(mood)]
    const service = await startService(
      database,
      { WEBHOOK_RETRY_SECONDS: '700' },
      { clock: clock.now, features },
    )
    try {
      const members = (name: string) => ({ connectionString: `sqlite:${name}.db` })
      const [waiting, done] = [await service.newTenant(members('a')), await service.newTenant(members('b'))]
      mood.tenantId = waiting.id
      for (const tenant of [waiting, done]) {
        const isReady = async () => (await tenant.user.get('/api/products')).status === 200
        await eventually('the database', soonMs, isReady)
        await setProvider(tenant.admin)
        await addRule(tenant.user, 'flaky.try')
        const text = '{"type":"a.b","data":{"amount":1}}'
        const header = { 'stripe-signature': signed(text, clock.now().getTime() / 1000) }
        assert.equal((await send(service, tenant, text, header)).status, 200)
      }
      const marked = async () => {
        await service.service.queueWorkers.drain()
        const rows = await inspect(service.config.databaseUrl, 'SELECT tenant_id FROM pending_tenant')
        return rows.map((row) => row['tenant_id'])
      }
      assert.deepEqual((await marked()).toSorted(), [waiting.id, done.id].toSorted())
      clock.advance({ seconds: 600 })
      assert.deepEqual(await marked(), [waiting.id])
      clock.advance({ seconds: 100 })
      await marked()
      assert.equal(mood.seen.length, 3)
      clock.advance({ seconds: 600 })
      await eventually('the end of the mark', soonMs, async () => (await marked()).length === 0)
    } finally {
      await service.stop()
    }
  })
})

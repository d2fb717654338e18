/** Jobs belong to their tenant: they move, are exported and imported, and are erased with it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { exportTenant } from '../../src/operations/archive/export.ts'
import { importTenant } from '../../src/operations/archive/import.ts'
import { eraseTenant } from '../../src/operations/erase/erase.ts'
import { moveTenant } from '../../src/operations/move/move.ts'
import { TestClock } from '../support/clock.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEachDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { startService } from '../support/service.ts'
import { enqueueFor, newWork, workFeature } from './work-feature.ts'

onEachDatabase('Jobs', (database) => {
  it('go where their tenant goes, run there, and are erased with it', async () => {
    const clock = new TestClock()
    const work = newWork()
    const features = [workFeature(work)]
    const service = await startService(database, {}, { clock: clock.now, features })
    try {
      const { id } = await service.newTenant()
      const operator = await service.service.operator()
      for (const [number, minutes] of [1, 2, 3].entries())
        await enqueueFor(service, id, number, { at: new Date(clock.now().getTime() + minutes * 3_600_000) })
      await moveTenant(operator, id, 'sqlite:moved.db', { removeAfterMs: 0 })
      clock.advance({ minutes: 61 })
      await service.service.queueWorkers.drain()
      await eventually('the first in its new place', soonMs, async () => work.attempts.length === 1)
      const to = join(service.dataDir, 'archive.db')
      await exportTenant(operator, id, { to })
      const host = (await service.signIn('admin')).client
      assert.equal((await host.delete(`/api/tenants/${id}`)).status, 204)
      await eraseTenant(operator, id, {})
      const left = await inspect(
        service.config.databaseUrl,
        `SELECT id FROM queued_job WHERE tenant_id = '${id}'`,
      )
      assert.deepEqual(left, [])
      await importTenant(operator, { from: to, to: null, folder: service.dataDir })
      await host.put(`/api/tenants/${id}`, { isActive: true })
      clock.advance({ minutes: 120 })
      await service.service.queueWorkers.drain()
      await eventually('the others', soonMs, async () => work.attempts.length === 3)
      assert.deepEqual(work.attempts.map(({ number }) => number).toSorted(), [0, 1, 2])
    } finally {
      await service.stop()
    }
  })
})

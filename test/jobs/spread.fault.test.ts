/** Ten thousand tenants with a daily job each: stored and run without a spike, on both databases. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { schedule } from '../../src/core/feature/schedule.ts'
import { StillClock } from '../support/clock.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEachDatabase } from '../support/databases.ts'
import { startService } from '../support/service.ts'
import { runInterval } from './work-feature.ts'

const tenants = 10_000
const seconds = 600

onEachDatabase(`A daily schedule of ${tenants} tenants`, (database) => {
  it('stores few jobs in any second, and each of them once', async (test) => {
    const clock = new StillClock()
    const ran = new Map<string, number>()
    const daily = schedule('daily', {
      cron: '0 7 * * *',
      run: async ({ tenant }) => void ran.set(tenant.id, (ran.get(tenant.id) ?? 0) + 1),
    })
    const features = [{ name: 'timed', schedules: [daily] }]
    const service = await startService(database, {}, { clock: clock.now, features })
    try {
      const { databaseUrl } = service.config
      await inspect(databaseUrl, fill)
      await runInterval(service, 'schedules')
      clock.advance({ seconds: 7 * 3600 })
      const { executor } = (await service.service.operator()).shared.catalogueDatabase
      const perSecond: number[] = []
      let longestMs = 0
      for (let second = 0, before = 0; second <= seconds; second++) {
        const beganMs = performance.now()
        await runInterval(service, 'schedules')
        longestMs = Math.max(longestMs, performance.now() - beganMs)
        const { rows } = await executor.run('SELECT count(*) AS stored FROM queued_job', [], true)
        const stored = Number(rows[0]?.['stored'])
        perSecond.push(stored - before)
        before = stored
        clock.advance({ seconds: 1 })
      }
      await service.service.queueWorkers.drain()
      const most = Math.max(...perSecond)
      assert.ok(most <= 50, `${most} jobs in one second`)
      assert.equal(ran.size, tenants + 1)
      assert.ok([...ran.values()].every((times) => times === 1))
      test.diagnostic(`at most ${most} jobs in one second; the longest turn took ${longestMs.toFixed(0)} ms`)
    } finally {
      await service.stop()
    }
  })
})

const moment = '2026-01-01T00:00:00.000Z'
const fill = `INSERT INTO tenant (id, id_key, name, is_active, created_at, version)
  WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${tenants})
  SELECT 't' || n, 't' || n, 't', true, '${moment}', 1 FROM number`

/** A daily job for each of many tenants: their jobs begin spread over the window of the schedule. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { schedule } from '../../src/core/feature/schedule.ts'
import { placesOf } from '../../src/jobs/schedule/jitter.ts'
import { StillClock } from '../support/clock.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEachDatabase } from '../support/databases.ts'
import { runsOf } from '../support/run/extent.ts'
import { startService } from '../support/service.ts'
import { insertTenants } from './tenants.ts'
import { runInterval } from './work-feature.ts'

const tenants = runsOf(100, 400)
const windowSeconds = tenants / 10
/** 10 on average. */
const maxPerSecond = 25

onEachDatabase(`A daily schedule of ${tenants} tenants`, (database) => {
  it('stores the job of each in its second, so that no second has a spike', async () => {
    const clock = new StillClock()
    const ran: string[] = []
    const daily = schedule('daily', {
      cron: '0 7 * * *',
      spreadSeconds: windowSeconds,
      run: async ({ tenant }) => void ran.push(tenant.id),
    })
    const features = [{ name: 'timed', schedules: [daily] }]
    const service = await startService(database, {}, { clock: clock.now, features })
    const ids = await insertTenants(service.config.databaseUrl, tenants)
    await runInterval(service, 'schedules') // sees the schedule for the first time
    clock.advance({ seconds: 7 * 3600 })
    const beganMs = clock.now().getTime()
    for (let second = 0; second <= windowSeconds; second++) {
      await runInterval(service, 'schedules')
      await service.service.queueWorkers.drain()
      clock.advance({ seconds: 1 })
    }
    assert.deepEqual(ran.toSorted(), ['default', ...ids].toSorted())

    const rows = await inspect(service.config.databaseUrl, 'SELECT tenant_id, created_at FROM queued_job')
    const stored = new Map(
      rows.map(({ tenant_id: id, created_at: at }) => [
        String(id),
        (new Date(at instanceof Date ? at : String(at)).getTime() - beganMs) / 1000,
      ]),
    )
    const places = placesOf('daily', ['default', ...ids], windowSeconds * 1000)
    for (const { tenantKey, delayMs } of places)
      assert.equal(stored.get(tenantKey), Math.ceil(delayMs / 1000), tenantKey)
    const counts = [...Map.groupBy(stored.values(), (second) => second).values()]
    assert.ok(Math.max(...counts.map((each) => each.length)) <= maxPerSecond)
    await service.stop()
  })
})

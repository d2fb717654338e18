/** The removal of half a million old events beside requests, and how long it blocks the thread. */
import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { it } from 'node:test'
import { removeFinished } from '../../../../src/webhooks/outgoing/retention/retention.ts'
import { startService } from '../../../support/service.ts'
import { countEvents, insertOldEvents } from './old-events.ts'

const count = 500_000
/** In one piece they took two seconds. */
const maxBlockedMs = 250

it('The retention of half a million events keeps the thread free on SQLite', async () => {
  const service = await startService('sqlite')
  try {
    const tenant = await service.newTenant()
    const opened = (await service.service.operator()).shared.catalogueDatabase
    await insertOldEvents(opened, tenant.id, count, new Date('2020-01-01T00:00:00Z'))
    const histogram = monitorEventLoopDelay({ resolution: 1 })
    histogram.enable()
    let isDone = false
    const run = removeFinished(opened, new Date('2020-01-02T00:00:00Z')).finally(() => {
      isDone = true
    })
    while (!isDone) assert.equal((await tenant.user.get('/api/products')).status, 200)
    await run
    histogram.disable()
    assert.equal(await countEvents(opened, tenant.id), 0)
    const longestMs = histogram.max / 1e6
    assert.ok(longestMs < maxBlockedMs, `the thread was not free for ${longestMs} ms`)
  } finally {
    await service.stop()
  }
})

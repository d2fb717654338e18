/** The removal of half a million old events beside requests, and how long it blocks the thread. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { removeFinished } from '../../../../src/webhooks/outgoing/retention/retention.ts'
import { startService } from '../../../support/service.ts'
import { countEvents, insertOldEvents } from './old-events.ts'

const count = 500_000
/** Of processor time, in one turn of the event loop; in one chunk they took two seconds. */
const maxTurnMs = 250

it('The retention of half a million events keeps the thread free on SQLite', async () => {
  const service = await startService('sqlite')
  try {
    const tenant = await service.newTenant()
    const opened = (await service.service.operator()).shared.catalogueDatabase
    await insertOldEvents(opened, tenant.id, count, new Date('2020-01-01T00:00:00Z'))
    let isDone = false
    const longest = longestTurn(() => isDone)
    const run = removeFinished(opened, new Date('2020-01-02T00:00:00Z')).finally(() => {
      isDone = true
    })
    while (!isDone) assert.equal((await tenant.user.get('/api/products')).status, 200)
    await run
    const longestMs = await longest
    assert.equal(await countEvents(opened, tenant.id), 0)
    assert.ok(longestMs < maxTurnMs, `the thread was not free for ${longestMs} ms`)
  } finally {
    await service.stop()
  }
})

/** @returns the milliseconds of processor time of the turn that took the most, however busy the machine is */
async function longestTurn(isDone: () => boolean): Promise<number> {
  let longest = 0
  for (let before = threadMs(); !isDone(); ) {
    await nextTurn()
    const now = threadMs()
    longest = Math.max(longest, now - before)
    before = now
  }
  return longest
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Counts of rate limits in a database go when they have expired: nobody else removes them. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { createFixedWindow } from '../../../src/api/http/rate-limit/fixed-window.ts'
import type { Database } from '../../../src/database/executor.ts'
import { runInterval } from '../../jobs/work-feature.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { type IdentityService, sharedIdentityService } from '../identity-service.ts'

/** More than one transaction removes. */
const expired = 1200

onEachDatabase('Counts of rate limits', (database) => {
  let service: IdentityService
  let opened: Database
  before(async () => {
    service = await sharedIdentityService(database)
    opened = (await service.service.operator()).shared.catalogueDatabase
  })
  after(() => service.stop())

  const keysOf = async (prefix: string): Promise<unknown[]> => {
    const sql = `SELECT key FROM rate_limit WHERE key LIKE '${prefix}:%' ORDER BY key`
    return (await opened.executor.run(sql, [], false)).rows.map(({ key }) => key)
  }

  it('go an hour after they have expired, and those that go on stay', async () => {
    const minuteMs = 60_000
    const now = service.clock.now().getTime()
    const rows = Array.from({ length: expired }, (_, number) => `('old:${number}', 1, ${number})`)
    rows.push(`('new:an hour less a minute ago', 1, ${now - 59 * minuteMs})`)
    rows.push(`('new:in a minute', 1, ${now + minuteMs})`)
    const sql = `INSERT INTO rate_limit (key, points, expire) VALUES ${rows.join()}`
    await opened.transaction((transaction) => transaction.run(sql, [], false))
    await runInterval(service, 'counts of rate limits')
    assert.deepEqual(await keysOf('old'), [])
    assert.deepEqual(await keysOf('new'), ['new:an hour less a minute ago', 'new:in a minute'])
  })

  it('are those of limiters', async () => {
    const limiter = createFixedWindow(opened.executor, { name: 'brief', requests: 1, seconds: 1 })
    await limiter.consume('somebody')
    assert.deepEqual(await keysOf('brief'), database === 'postgres' ? ['brief:somebody'] : [])
    service.clock.advance({ minutes: 62 })
    await runInterval(service, 'counts of rate limits')
    assert.deepEqual(await keysOf('brief'), [])
  })
})

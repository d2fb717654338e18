/** A long removal: other requests go on meanwhile, and a stop does not wait for its end. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Database } from '../../../../src/database/executor.ts'
import { removeFinished } from '../../../../src/webhooks/outgoing/retention/retention.ts'
import { type WatchedTransaction, watched } from '../../../support/database/watched.ts'
import { onEachDatabase } from '../../../support/databases.ts'
import { runsOf, triesAll } from '../../../support/run/extent.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'
import { countEvents, insertOldEvents } from './old-events.ts'

const old = new Date('2020-01-01T00:00:00Z')
const later = new Date('2020-01-02T00:00:00Z')
const maxRowsOfBatch = 500
/** Of requests that follow each other while the rows are removed. */
const minAnswered = runsOf(3, 20)

onEachDatabase('The retention of very many events', (database) => {
  const count = database === 'sqlite' ? runsOf(30_000, 200_000) : runsOf(10_000, 20_000)
  let service: TestService
  let tenant: TestTenant
  let opened: Database
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    opened = (await service.service.operator()).shared.catalogueDatabase
    await insertOldEvents(opened, tenant.id, count, old)
  })
  after(() => service.stop())

  it('ends with the batch that has begun when the service stops', async () => {
    const seen: WatchedTransaction[] = []
    const stop = new AbortController()
    const begun = () => {
      if (seen.length === 2) stop.abort()
    }
    const run = removeFinished(watched(opened, seen, begun), later, stop.signal)
    await assert.rejects(run, (error) => error === stop.signal.reason)
    assert.equal(seen.length, 3)
    assert.ok((await countEvents(opened, tenant.id)) >= count - 3 * maxRowsOfBatch)
  })

  it('keeps nobody waiting: it goes in short batches, with turns between them', async () => {
    const seen: WatchedTransaction[] = []
    let isDone = false
    const run = removeFinished(watched(opened, seen), later).finally(() => {
      isDone = true
    })
    let answered = 0
    for (; !isDone; answered++) {
      const made = await tenant.user.post('/api/products', { name: `Desk ${answered}`, price: 1 })
      assert.equal(made.status, 201, made.text)
      assert.equal((await tenant.user.get(`/api/products/${made.body.id}`)).status, 200)
    }
    await run
    assert.equal(await countEvents(opened, tenant.id), 0)
    assert.ok(answered > minAnswered, `only ${answered} requests were answered meanwhile`)
    assert.ok(seen.every(({ rows, statements }) => rows <= maxRowsOfBatch && statements <= 2))
    if (database === 'sqlite') {
      assert.equal(seen.slice(1).filter(({ turnsBefore }) => turnsBefore === 0).length, 0)
      const times = seen.map(({ tookMs }) => tookMs).toSorted((one, other) => one - other)
      const median = times[times.length >> 1] ?? 0
      assert.ok(median <= 5 || !triesAll, `half of the batches took ${median} ms`)
    }
  })
})

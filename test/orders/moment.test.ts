/** An order that waits for another one of its tenant on PostgreSQL: number, id and moment of creation have one order. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { StillClock } from '../support/clock.ts'
import { inspect } from '../support/database/inspect.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { newProduct, orderOf } from '../support/orders.ts'
import { startService, type TestService } from '../support/service.ts'

const waiters = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`

describe('An order that waits for its number', () => {
  const clock = new StillClock()
  let service: TestService
  after(() => service.stop())

  it('is created at the moment at which it gets the number', async () => {
    service = await startService('postgres', {}, { clock: clock.now })
    const { id, user } = await service.newTenant()
    const order = orderOf([[await newProduct(user), 1]])
    assert.equal((await user.post('/api/orders', order)).body.number, 1)
    const { catalogueDatabase } = (await service.service.operator()).shared
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = catalogueDatabase.transaction(async (transaction) => {
      const count = 'SELECT last FROM order_count WHERE tenant_id = $1 FOR UPDATE'
      await transaction.run(count, [id], false)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    const placing = user.post('/api/orders', order)
    await eventually('the order waits', soonMs, async () => {
      return (await inspect(service.config.databaseUrl, waiters)).length === 1
    })
    clock.advance({ seconds: 1 })
    release.resolve()
    await holding
    const { body } = await placing
    assert.equal(body.number, 2)
    assert.equal(body.createdAt, clock.now().toISOString())
  })
})

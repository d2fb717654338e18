import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { inspect } from '../../support/database/inspect.ts'
import { assertUnavailable } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startService, type TestService } from '../../support/service.ts'

/** More than have connections at once, twice over. */
const clients = 24
const timeoutMs = 1500

describe('While a table of PostgreSQL is locked', () => {
  let service: TestService
  let locker: pg.Client
  before(async () => {
    service = await startService(
      'postgres',
      {},
      { databaseTimeouts: { connectTimeoutMs: timeoutMs, lockTimeoutMs: timeoutMs } },
    )
    locker = new pg.Client({ connectionString: service.config.databaseUrl })
    await locker.connect()
  })
  after(async () => {
    await locker.end()
    await service.stop()
  })

  it('other tenants go on, readiness too, and those who need the table are refused in time', async () => {
    const [busy, other] = [await service.newTenant(), await service.newTenant()]
    await other.admin.post('/api/categories', { name: 'Desks' })
    await locker.query('BEGIN')
    await locker.query('LOCK TABLE product IN ACCESS EXCLUSIVE MODE')
    const stuck = Array.from({ length: clients }, (_, number) =>
      number % 2 === 0
        ? busy.admin.get('/api/products')
        : busy.admin.post('/api/products', { name: 'Desk', price: 1 }),
    )
    await eventually('the statements', soonMs, async () => (await waitingForLocks(service)) >= 4)
    for (let round = 0; round < 5; round++) {
      assert.equal((await service.anonymous.get('/health/ready')).status, 200)
      for (const path of ['/api/orders', '/api/users', '/api/categories']) {
        assert.equal((await other.admin.get(path)).status, 200, path)
      }
      const { body } = await other.admin.post('/graphql', { query: '{ categories { name } }' })
      assert.equal(body.errors, undefined)
      assert.equal(body.data.categories.length, round + 1)
      const changed = await other.admin.post('/api/categories', { name: `Chairs ${round}` })
      assert.equal(changed.status, 201)
    }
    for (const answer of await Promise.all(stuck)) assertUnavailable(answer, 'a client of the tenant')
    assert.equal((await service.anonymous.get('/health/ready')).status, 200)
    await locker.query('ROLLBACK')
    assert.deepEqual((await busy.admin.get('/api/products')).body, [])
    assert.equal((await busy.admin.post('/api/products', { name: 'Desk', price: 1 })).status, 201)
  })

  it('the figures tell who waits, and who was refused', async () => {
    const { text } = await service.anonymous.get('/metrics')
    const refusals = /database_connection_refusals_total\{user="tenant",use="(read|write)"\} (\d+)/g
    const refused = [...text.matchAll(refusals)].reduce((sum, [, , count]) => sum + Number(count), 0)
    assert.ok(refused > 0, text.slice(0, 200))
    assert.match(text, /^database_connections_in_use\{user="service",use="write"\} \d+$/m)
    assert.match(text, /^database_connection_waiters\{user="tenant",use="scan"\} 0$/m)
  })
})

async function waitingForLocks({ config }: TestService): Promise<number> {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return (await inspect(config.databaseUrl, sql)).length
}

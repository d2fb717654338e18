/** What works behind PgBouncer of any version, and what the start refuses, in words. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type PgBouncer, setForRole, startPgBouncer } from '../../support/database/pgbouncer.ts'
import { queryServer } from '../../support/database/query-server.ts'
import { createPostgresDatabase, postgresServerUrl } from '../../support/databases.ts'
import { startService } from '../../support/service.ts'

const ofSession = `SELECT current_setting('statement_timeout') AS timeout, current_setting('lock_timeout') AS wait,
  current_setting('enable_seqscan') AS plans, current_setting('TimeZone') AS zone`

describe('Behind PgBouncer', () => {
  let pooler: PgBouncer
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  const startPooler = async (...settings: string[]): Promise<void> => {
    pooler = await startPgBouncer(await postgresServerUrl(), settings)
  }
  before(async () => {
    database = await createPostgresDatabase()
  })
  after(() => database.drop())

  it('in session mode, the service works with all settings of its sessions', async () => {
    await startPooler('pool_mode = session')
    const service = await startService('postgres', { DATABASE_URL: pooler.through(database.url) })
    const { catalogueDatabase } = (await service.service.operator()).shared
    const { rows } = await catalogueDatabase.executor.run(ofSession, [], false)
    assert.deepEqual(rows, [{ timeout: '30s', wait: '5s', plans: 'off', zone: 'UTC' }])
    const made = await service.host.post('/api/products', { name: 'Desk', price: 1 })
    assert.equal(made.status, 201, made.text)
    assert.equal((await service.anonymous.get('/health/ready')).status, 200)
    await service.stop()
    await pooler[Symbol.asyncDispose]()
  })

  it('in transaction mode, a start without the address of the server is refused, and leaves no setting behind', async () => {
    await startPooler('pool_mode = transaction')
    const start = startService('postgres', { DATABASE_URL: pooler.through(database.url) })
    await assert.rejects(start, /of a pooler in transaction mode.*DATABASE_DIRECT_URL/)
    const [left] = await queryServer(pooler.through(database.url), ofSession)
    assert.equal(left?.['plans'], 'on')
    await pooler[Symbol.asyncDispose]()
  })

  it('a start without the settings of the role is refused, with the statements that set them', async () => {
    await startPooler('pool_mode = transaction', 'max_prepared_statements = 100')
    const start = startService('postgres', {
      DATABASE_URL: pooler.through(database.url),
      DATABASE_DIRECT_URL: database.url,
    })
    await assert.rejects(
      start,
      /Run: ALTER ROLE "postgres" IN DATABASE "test_\w+" SET .*statement_timeout = '30s';/,
    )
    await pooler[Symbol.asyncDispose]()
  })

  it('a start is refused where the pooler loses prepared statements', async () => {
    await startPooler('pool_mode = transaction', 'max_prepared_statements = 0')
    await setForRole(database.url)
    const start = startService('postgres', {
      DATABASE_URL: pooler.through(database.url),
      DATABASE_DIRECT_URL: database.url,
    })
    await assert.rejects(start, /loses prepared statements.*1\.21.*max_prepared_statements/)
    await pooler[Symbol.asyncDispose]()
  })
})

/** Settings of the server, the database, the role and the address that change the text of values, or plans. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { queryServer } from '../../support/database/query-server.ts'
import { createPostgresDatabase, migratedTemplate, postgresServerUrl } from '../../support/databases.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { startService, type TestService } from '../../support/service.ts'

const others = {
  datestyle: 'German, DMY',
  intervalstyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-5',
  timezone: 'Asia/Kolkata',
  standard_conforming_strings: 'off',
  client_encoding: 'LATIN1',
  default_transaction_isolation: 'serializable',
  enable_seqscan: 'on',
  statement_timeout: '1s',
  lock_timeout: '1s',
}

describe('A database with settings of its own', () => {
  let service: TestService
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  const settings: Record<string, string> = { MASTER_KEY: newMasterKey() }
  before(async () => {
    database = await createPostgresDatabase(migratedTemplate)
    const name = new URL(database.url).pathname.slice(1)
    const server = await postgresServerUrl()
    for (const [setting, value] of Object.entries(others))
      await queryServer(server, `ALTER DATABASE ${name} SET ${setting} = '${value}'`)
    // An address has parameters of its own, and options that the server reads.
    settings['DATABASE_URL'] =
      `${database.url}?options=-c%20datestyle%3DSQL&statement_timeout=1000&lock_timeout=1000`
    service = await startService('postgres', settings)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  it('is served with values as everywhere: moments, amounts, secrets, text of every script', async () => {
    const { admin } = await service.newTenant()
    const name = "Straße “Σ” 机 \\ ' 😀"
    const made = await admin.post('/api/products', { name, price: 0.1 })
    assert.equal(made.status, 201, made.text)
    assert.match(made.body.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(Math.abs(Date.parse(made.body.createdAt) - Date.now()) < 60_000, made.body.createdAt)
    const read = await admin.get(`/api/products/${made.body.id}`)
    assert.deepEqual(read.body, made.body)
    assert.equal(read.body.name, name)
    const listed = await admin.get(
      `/api/products?createdAt[gte]=${made.body.createdAt}&sort=-createdAt&limit=1`,
    )
    assert.deepEqual(listed.body, [made.body])
    const hook = { url: 'https://example.com/hook', events: ['product.created'] }
    const subscription = await admin.post('/api/webhooks/subscriptions', hook)
    assert.equal(subscription.status, 201, subscription.text)
  })

  it('is read back after a restart, with the settings of the service on every connection', async () => {
    const { catalogueDatabase } = (await service.service.operator()).shared
    const cells = Object.keys(others).map((name) => `current_setting('${name}') AS ${name}`)
    const ask = () => catalogueDatabase.executor.run(`SELECT ${cells.join(', ')}, pg_sleep(0.01)`, [], false)
    for (const { rows } of await Promise.all(Array.from({ length: 5 }, ask))) {
      const [{ datestyle, pg_sleep: _slept, ...found } = {}] = rows
      assert.match(String(datestyle), /^ISO/)
      assert.deepEqual(found, {
        intervalstyle: 'postgres',
        bytea_output: 'hex',
        extra_float_digits: '1',
        timezone: 'UTC',
        standard_conforming_strings: 'on',
        client_encoding: 'UTF8',
        default_transaction_isolation: 'read committed',
        enable_seqscan: 'off',
        statement_timeout: '30s',
        lock_timeout: '5s',
      })
    }
    await service.stop()
    service = await startService('postgres', settings)
    assert.equal((await service.host.get('/api/products')).status, 200)
  })
})

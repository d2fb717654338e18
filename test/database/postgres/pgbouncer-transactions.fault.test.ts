/** The service behind PgBouncer in transaction mode, which keeps prepared statements from version 1.21 on. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { finishedOperation } from '../../operations/operation/listed.ts'
import { hastened } from '../../operations/served.ts'
import type { Client } from '../../support/client.ts'
import { futureDatabase } from '../../support/database/future-database.ts'
import { type PgBouncer, setForRole, startPgBouncer } from '../../support/database/pgbouncer.ts'
import { queryServer } from '../../support/database/query-server.ts'
import { createPostgresDatabase, postgresServerUrl } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { newMasterKey } from '../../support/master-key.ts'
import { newProduct, orderOf } from '../../support/orders.ts'
import { startService, type TestService } from '../../support/service.ts'

/** Fewer than the clients, so that each serves many. */
const serverSessions = 6

describe('Behind PgBouncer in transaction mode', () => {
  let pooler: PgBouncer
  let database: Awaited<ReturnType<typeof createPostgresDatabase>>
  let services: TestService[]
  let settings: Record<string, string>
  before(async () => {
    pooler = await startPgBouncer(await postgresServerUrl(), [
      ...[
        'pool_mode = transaction',
        'max_prepared_statements = 200',
        `default_pool_size = ${serverSessions}`,
      ],
    ])
    database = await createPostgresDatabase()
    await setForRole(database.url)
    settings = {
      DATABASE_URL: pooler.through(database.url),
      DATABASE_DIRECT_URL: database.url,
      MASTER_KEY: newMasterKey(),
      DATABASE_CONNECTIONS: '20',
    }
    services = []
    for (let count = 0; count < 2; count++) services.push(await startService('postgres', settings, hastened))
  })
  after(async () => {
    for (const service of services) await service.stop()
    await pooler[Symbol.asyncDispose]()
    await database.drop()
  })

  it('requests of two instances on few sessions all succeed, in transactions and outside', async () => {
    const tenants = await Promise.all(services.map((service) => service.newTenant()))
    const clients = Array.from({ length: 8 }, (_, client) => client)
    await Promise.all(
      tenants.flatMap(({ admin }) =>
        clients.map(async (client) => {
          for (let round = 0; round < 5; round++) await useAll(admin, `Desk ${client}.${round}`)
        }),
      ),
    )
    for (const { admin } of tenants) assert.equal((await admin.get('/api/orders')).body.length, 40)
  })

  it('an instance hears what another one has changed', async () => {
    const [first, second] = services
    assert.ok(first && second)
    const { id, admin } = await first.newTenant()
    const heard = admin.headers['authorization']
    const there = second.anonymous.with({ authorization: heard ?? '' })
    assert.equal((await there.get('/api/products')).status, 200)
    assert.equal((await first.host.delete(`/api/tenants/${id}`)).status, 204)
    await eventually(
      'the end of the tenant',
      soonMs,
      async () => (await there.get('/api/products')).status !== 200,
    )
  })

  it('a tenant moves to a database of its own and back, while it is served', async () => {
    const [service] = services
    assert.ok(service)
    const { id, admin } = await service.newTenant()
    await newProduct(admin)
    const own = await futureDatabase()
    for (const [connectionString, kind] of [
      [own.url, 'postgres'],
      [null, 'shared'],
    ] as const) {
      const request = { connectionString, removeAfterSeconds: 0 }
      const { status, body, text } = await service.host.post(`/api/tenants/${id}/move`, request)
      assert.equal(status, 202, text)
      const ended = await finishedOperation(service.host, body.id)
      assert.deepEqual([ended.status, ended.error], ['DONE', null])
      assert.equal((await service.host.get(`/api/tenants/${id}/database`)).body.kind, kind)
      await newProduct(admin)
    }
    assert.equal((await admin.get('/api/products')).body.length, 3)
    await own.drop()
  })

  it('sessions have the limits and the plans of the role', async () => {
    const [row] = await queryServer(
      pooler.through(database.url),
      "SELECT current_setting('statement_timeout') AS timeout, current_setting('enable_seqscan') AS plans",
    )
    assert.deepEqual(row, { timeout: '30s', plans: 'off' })
  })

  it('an address of the server that leads to another database is refused', async () => {
    const other = await createPostgresDatabase()
    const start = startService('postgres', { ...settings, DATABASE_DIRECT_URL: other.url })
    await assert.rejects(start, /lead to different databases/)
    await other.drop()
  })
})

/** Transactions, reads of one statement, a scan, and a snapshot. */
async function useAll(admin: Client, name: string): Promise<void> {
  const product = await newProduct(admin, { name })
  const order = await admin.post('/api/orders', orderOf([[product, 2]]))
  assert.equal(order.status, 201, order.text)
  const scanned = await admin.get('/api/products?description[contains]=oak&sort=-price')
  assert.equal(scanned.status, 200, scanned.text)
  const query = '{ productsAggregate { count } products(where: { price: { gt: 1 } }) { id name } }'
  const { body, text } = await admin.post('/graphql', { query })
  assert.equal(body.errors, undefined, text)
}

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { placeholders } from '../../src/database/sql-text.ts'
import { encryptConnectionString } from '../../src/tenancy/connection-string.ts'
import type { Client } from '../support/client.ts'
import { type FutureDatabase, futureDatabase } from '../support/database/future-database.ts'
import { inspect } from '../support/database/inspect.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { startService, type TestService, uniqueName } from '../support/service.ts'

onEitherDatabase('A tenant with a database of its own, the others', (database) => {
  let service: TestService
  const future: FutureDatabase[] = []
  before(async () => {
    service = await startService(database)
    future.push(await futureDatabase(), await futureDatabase())
  })
  after(async () => {
    await service.stop()
    for (const each of future) await each.drop()
  })

  const forms: [string, 'sqlite' | 'postgres', () => { connectionString: string; url: string }][] = [
    ['sqlite:name.db', 'sqlite', () => fileNamed('sqlite:Acme.db', 'acme.db')],
    ['Data Source=name.db', 'sqlite', () => fileNamed('Data Source=beta.db', 'beta.db')],
    [
      'postgres://…',
      'postgres',
      () => ({ connectionString: future[0]?.url ?? '', url: future[0]?.url ?? '' }),
    ],
    [
      'Host=…;Port=…',
      'postgres',
      () => ({ connectionString: future[1]?.pairs ?? '', url: future[1]?.url ?? '' }),
    ],
  ]
  it('gets another one although its stored connection string is not accepted any more', async () => {
    const tenant = await service.newTenant({ connectionString: 'sqlite:former.db' })
    await isReady(tenant.id, 'sqlite')
    const { secretBox, catalogueDatabase } = (await service.service.operator()).shared
    const place = placeholders(catalogueDatabase.dialect)
    await catalogueDatabase.transaction((transaction) =>
      transaction.run(
        `UPDATE tenant SET connection_string = ${place(1)} WHERE id = ${place(2)}`,
        [encryptConnectionString(secretBox, 'sqlite:../former.db'), tenant.id],
        false,
      ),
    )
    const changed = await service.host.put(`/api/tenants/${tenant.id}`, {
      connectionString: 'sqlite:present.db',
    })
    assert.equal(changed.status, 200, changed.text)
    await isReady(tenant.id, 'sqlite')
  })

  for (const [form, kind, given] of forms) {
    it(`keeps its products there and nowhere else: ${form}`, async () => {
      const { connectionString, url } = given()
      const tenant = await service.newTenant({ connectionString })
      await isReady(tenant.id, kind)
      const category = await tenant.user.post('/api/categories', { name: 'Office' })
      const product = { name: 'Desk', price: 19.99, categoryId: category.body.id }
      const made = await tenant.user.post('/api/products', product)
      assert.equal(made.status, 201, made.text)
      assert.deepEqual(namesIn(await tenant.user.get('/api/products')), ['Desk'])
      for (const table of ['product', 'category', 'event']) {
        const rows = await inspect(url, ofTenant(table, tenant.id))
        assert.ok(rows.length > 0, `${table} is empty`)
      }
      for (const table of ['product', 'category']) {
        const rows = await inspect(service.config.databaseUrl, ofTenant(table, tenant.id))
        assert.deepEqual(rows, [], table)
      }
      const events = await inspect(service.config.databaseUrl, ofTenant('event', tenant.id))
      for (const { type } of events) assert.doesNotMatch(String(type), /^(product|category)\./)
      // Users stay in the catalogue.
      await assert.rejects(inspect(url, 'SELECT id FROM account'), /account/)
    })
  }

  it('creates the PostgreSQL databases, and the files in the folder of the tenants', async () => {
    for (const each of future) assert.ok(await each.exists())
    for (const name of ['acme.db', 'beta.db']) assert.ok(existsSync(join(service.dataDir, 'tenants', name)))
  })

  it('stays apart from another tenant in the same file', async () => {
    const [one, other] = [
      await service.newTenant({ connectionString: 'sqlite:together.db' }),
      await service.newTenant({ connectionString: 'Data Source=TOGETHER.db' }),
    ]
    const made = await one.user.post('/api/products', { name: 'Mine', price: 1 })
    assert.equal((await other.user.post('/api/products', { name: 'Yours', price: 1 })).status, 201)
    assert.deepEqual(namesIn(await one.user.get('/api/products')), ['Mine'])
    assert.deepEqual(namesIn(await other.user.get('/api/products')), ['Yours'])
    const path = `/api/products/${made.body.id}`
    assert.equal((await other.user.get(path)).status, 404)
    assert.equal((await other.user.put(path, { name: 'Stolen', price: 2 })).status, 404)
    assert.equal((await other.user.delete(path)).status, 404)
    const rows = await inspect(fileNamed('', 'together.db').url, 'SELECT name FROM product ORDER BY name')
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['Mine', 'Yours'],
    )
  })

  it('moves to another database from the next request on, and back with all that was there', async () => {
    const tenant = await service.newTenant()
    await tenant.user.post('/api/products', { name: 'Shared', price: 1 })
    const moveTo = async (connectionString: string | null) => {
      const answer = await service.host.put(`/api/tenants/${tenant.id}`, { connectionString })
      assert.equal(answer.status, 200, answer.text)
    }
    await moveTo('sqlite:first.db')
    assert.equal((await tenant.user.post('/api/products', { name: 'First', price: 1 })).status, 201)
    await moveTo('sqlite:second.db')
    assert.equal((await tenant.user.post('/api/products', { name: 'Second', price: 1 })).status, 201)
    assert.deepEqual(namesIn(await tenant.user.get('/api/products')), ['Second'])
    await moveTo('sqlite:first.db')
    assert.deepEqual(namesIn(await tenant.user.get('/api/products')), ['First'])
    await moveTo(null)
    assert.deepEqual(namesIn(await tenant.user.get('/api/products')), ['Shared'])
    assert.equal((await service.host.get(`/api/tenants/${tenant.id}/database`)).body.kind, 'shared')
  })

  it('is reached by twenty first requests at once', async () => {
    const id = uniqueName('tenant')
    await service.host.post('/api/tenants', { id, name: id, connectionString: `sqlite:${id}.db` })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => service.anonymous.get('/api/products', { 'x-tenant-id': id })),
    )
    assert.deepEqual(new Set(answers.map(({ text }) => text)), new Set(['[]']))
  })

  async function isReady(id: string, kind: string): Promise<void> {
    const state = async () => (await service.host.get(`/api/tenants/${id}/database`)).body
    await eventually('the database', soonMs, async () => (await state()).status === 'ready')
    assert.deepEqual(await state(), { kind, status: 'ready', message: null, isMoving: false })
  }

  function fileNamed(connectionString: string, name: string): { connectionString: string; url: string } {
    return { connectionString, url: `sqlite:${join(service.dataDir, 'tenants', name)}` }
  }
})

function ofTenant(table: string, tenantId: string): string {
  return `SELECT * FROM ${table} WHERE tenant_id = '${tenantId}'`
}

function namesIn({ body }: Awaited<ReturnType<Client['get']>>): string[] {
  return body.map(({ name }: { name: string }) => name)
}

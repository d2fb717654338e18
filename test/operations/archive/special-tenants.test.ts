/** Export and import of tenants in special states: inactive, erased, or with deliveries in progress. */
import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { after, before, it } from 'node:test'
import { digestedText } from '../../../src/operations/backup/file.ts'
import { eraseTenant } from '../../../src/operations/erase/erase.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import type { TestService } from '../../support/service.ts'
import { deliveries } from '../../support/webhooks/delivery-scene.ts'
import { type FullTenant, fillTenant } from './full-tenant.ts'
import { ArchiveScene } from './installations.ts'

onEitherDatabase('A tenant that is imported', (database) => {
  let scene: ArchiveScene
  let source: TestService
  /** In the source, with its receiver. */
  let tenant: FullTenant
  let archive: string
  before(async () => {
    scene = new ArchiveScene()
    source = await scene.installation('sqlite')
    tenant = await fillTenant(scene, source, {})
    archive = await scene.export(source, tenant.id)
  })
  after(() => scene[Symbol.asyncDispose]())

  it('is served to nobody and sent nothing before it is whole', async () => {
    await using aside = new ArchiveScene()
    const target = await aside.installation(database, source)
    tenant.receiver.requests.length = 0
    await aside.import(target, archive, {
      reached: async (phase) => {
        if (phase !== 'copied') return
        await target.service.queueWorkers.drain()
        assert.equal((await target.host.get(`/api/tenants/${tenant.id}`)).status, 404)
        const url = target.config.databaseUrl
        const waiting = await inspect(
          url,
          `SELECT type FROM event WHERE tenant_id = '${tenant.id}' AND dispatched_at IS NULL ORDER BY id`,
        )
        assert.deepEqual(
          waiting.map(({ type }) => type),
          ['user.created', 'late.happened'],
        )
      },
    })
    await eventually('what waited', soonMs, async () => tenant.receiver.requests.length === 2)
  })

  it('may come from a version before this one', async () => {
    await using aside = new ArchiveScene()
    const target = await aside.installation(database, source)
    const older = aside.path()
    copyFileSync(archive, older)
    makeOlder(older)
    await aside.import(target, older)
    const { client } = await target.signIn('boss', tenant.id)
    assert.equal((await client.get('/api/products')).text, (await tenant.user.get('/api/products')).text)
    const rows = await inspect(
      `sqlite:${older}`,
      "SELECT name FROM migration WHERE name = 'idempotency-0002'",
    )
    assert.deepEqual(rows, [], 'the archive itself is as it was')
  })

  it('comes back after it was erased, and is archived no more while it is', async () => {
    await using aside = new ArchiveScene()
    const service = await aside.installation(database, source, { changePropagationMs: 300 })
    const { id } = await service.newTenant()
    const { client: boss } = await service.signIn('boss', id)
    assert.equal((await boss.post('/api/products', { name: 'Desk', price: 1 })).status, 201)
    const products = (await boss.get('/api/products')).text
    const own = await aside.export(service, id)
    await service.host.delete(`/api/tenants/${id}`)
    const reached = async (phase: string): Promise<void> => {
      if (phase === 'recorded') await assert.rejects(aside.export(service, id), /is being erased/)
    }
    await eraseTenant(await service.service.operator(), id, { reached })
    await aside.import(service, own)
    const { client } = await service.signIn('boss', id)
    assert.equal((await client.get('/api/products')).text, products)
    const audit = (await client.get('/api/audit?action=tenant.created')).body
    assert.equal(audit.length, 1)
  })

  it('gets what was being sent when it was exported, once its lease has ended', async () => {
    await using aside = new ArchiveScene()
    const target = await aside.installation(database, source)
    const until = new Date(Date.now() + 600).toISOString()
    await inspect(
      source.config.databaseUrl,
      `UPDATE delivery SET lease = 'gone', next_at = '${until}' WHERE queue IS NOT NULL`,
    )
    await aside.import(target, await aside.export(source, tenant.id), { subdomain: 'another' })
    const { client } = await target.signIn('boss', tenant.id)
    const failing = async () =>
      (await deliveries(client)).find(({ eventType }) => eventType === 'failing.now')
    await eventually('the second attempt', soonMs, async () => (await failing())?.attempts === 2)
    assert.equal((await client.get(`/api/tenants/${tenant.id}`)).body.subdomain, 'another')
  })

  it('is not active if it was not, and waits until it is', async () => {
    await using aside = new ArchiveScene()
    const target = await aside.installation(database, source)
    assert.equal((await source.host.delete(`/api/tenants/${tenant.id}`)).status, 204)
    await aside.import(target, await aside.export(source, tenant.id))
    tenant.receiver.requests.length = 0
    const login = { userName: 'boss', password: 'Admin@123' }
    const refused = await target.anonymous.post('/api/auth/login', login, { 'x-tenant-id': tenant.id })
    assertError(refused, 401, 'The user name or the password is wrong.')
    assert.equal((await target.host.get(`/api/tenants/${tenant.id}`)).body.isActive, false)
    await target.service.queueWorkers.drain()
    assert.equal(tenant.receiver.requests.length, 0)
    const activated = await target.host.put(`/api/tenants/${tenant.id}`, { isActive: true })
    assert.equal(activated.status, 200, activated.text)
    await eventually('what waited', soonMs, async () => tenant.receiver.requests.length === 2)
  })
})

/** As if it had been made before some changes of the schema that have to do with it. */
function makeOlder(archive: string): void {
  const table = 'idempotency_former_key'
  const file = new DatabaseSync(archive)
  const later = new Set(['idempotency-0002', 'tenant-0002'])
  file.exec(`DROP TABLE ${table}; DROP TABLE tenant_move; ALTER TABLE tenant DROP COLUMN paused_until`)
  for (const name of later) file.exec(`DELETE FROM migration WHERE name = '${name}'`)
  const text = String(file.prepare('SELECT content FROM manifest').get()?.['content'])
  const { sha256: _digest, ...manifest } = JSON.parse(text)
  const older = {
    ...manifest,
    tables: manifest.tables.filter((one: { table: string }) => one.table !== table),
    encrypted: manifest.encrypted.filter((one: { table: string }) => one.table !== table),
    migrations: manifest.migrations.filter((name: string) => !later.has(name)),
  }
  file.prepare('UPDATE manifest SET content = ?').run(digestedText(older))
  file.close()
}

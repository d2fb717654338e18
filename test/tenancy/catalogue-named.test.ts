import assert from 'node:assert/strict'
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { inspect } from '../support/database/inspect.ts'
import { Wire } from '../support/database/wire.ts'
import { onEachDatabase } from '../support/databases.ts'
import { sharedService, startService, type TestService, uniqueName } from '../support/service.ts'

describe('A connection string that plainly names the database of the service', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tenantry-test-'))
  const folder = join(dataDir, 'tenants')
  let onFile: TestService
  let onServer: TestService
  before(async () => {
    const settings = { DATA_DIR: dataDir, DATABASE_URL: `sqlite:${join(folder, 'main.db')}` }
    onFile = await startService('sqlite', settings)
    symlinkSync('main.db', join(folder, 'soft.db'))
    linkSync(join(folder, 'main.db'), join(folder, 'hard.db'))
    onServer = await sharedService('postgres')
  })
  after(async () => {
    await onFile.stop()
    await onServer.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  for (const file of ['sqlite:main.db', 'Data Source=MAIN.db', 'sqlite:soft.db', 'sqlite:hard.db']) {
    it(`is refused: ${file}`, () => isRefused(onFile, file))
  }

  const spellings: [string, (url: URL) => string][] = [
    ['as it is', ({ href }) => href],
    ['another name of the host', (url) => Object.assign(new URL(url), { hostname: 'LocalHost' }).href],
    ['another scheme', ({ href }) => href.replace('postgres:', 'POSTGRESQL:')],
    ['another user', (url) => Object.assign(new URL(url), { username: 'else', password: 'x' }).href],
    ['with a parameter', ({ href }) => `${href}?application_name=acme`],
    ['with an escaped letter', ({ href }) => href.replace('/test_', '/%74est_')],
    [
      'pairs',
      ({ hostname, port, pathname }) => `Host=${hostname};Port=${port};Database=${pathname.slice(1)}`,
    ],
  ]
  for (const [what, spell] of spellings) {
    it(`is refused: postgres://…, ${what}`, () =>
      isRefused(onServer, spell(new URL(onServer.config.databaseUrl))))
  }

  async function isRefused({ host }: TestService, connectionString: string): Promise<void> {
    const id = uniqueName('tenant')
    const made = await host.post('/api/tenants', { id, name: id, connectionString })
    assert.equal(made.status, 400, made.text)
    assert.match(made.body.message, /^connectionString: must not name the database of the service/)
    assert.equal((await host.post('/api/tenants', { id, name: id })).status, 201)
    const changed = await host.put(`/api/tenants/${id}`, { connectionString })
    assert.equal(changed.status, 400)
    assert.equal(changed.body.message, made.body.message)
    assert.equal((await host.get(`/api/tenants/${id}/database`)).body.kind, 'shared')
  }
})

onEachDatabase('A tenant whose connection string leads to the catalogue by another way', (database) => {
  let service: TestService
  let way: Wire | null = null
  const id = uniqueName('tenant')
  let connectionString = `sqlite:${id}-copy.db`
  before(async () => {
    service = await sharedService(database)
    const { databaseUrl } = service.config
    if (database === 'postgres') {
      way = await Wire.to(databaseUrl)
      connectionString = way.url
    } else {
      const folder = join(service.dataDir, 'tenants')
      mkdirSync(folder, { recursive: true })
      await inspect(databaseUrl, `VACUUM INTO '${join(folder, `${id}-copy.db`)}'`)
    }
    const made = await service.host.post('/api/tenants', { id, name: id, connectionString })
    assert.equal(made.status, 201, made.text)
  })
  after(async () => {
    await service.stop()
    await way?.cut()
  })

  it('gets 503 for its data, and is told why', async () => {
    const answer = await service.anonymous.get('/api/products', { 'x-tenant-id': id })
    assert.equal(answer.status, 503)
    const message = 'The connection string names a database with the catalogue of a service.'
    const state = () => service.host.get(`/api/tenants/${id}/database`)
    let { body } = await state()
    // Somebody else may be trying to open it just now.
    while (body.status === 'pending') body = (await state()).body
    assert.deepEqual(body, { kind: database, status: 'failed', message, isMoving: false })
  })

  it('is served once it has a database of its own', async () => {
    const changed = await service.host.put(`/api/tenants/${id}`, { connectionString: `sqlite:${id}.db` })
    assert.equal(changed.status, 200)
    const answer = await service.anonymous.get('/api/products', { 'x-tenant-id': id })
    assert.equal(answer.status, 200)
  })
})

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { type FutureDatabase, futureDatabase } from '../support/database/future-database.ts'
import { Wire } from '../support/database/wire.ts'
import { onEitherDatabase, postgresServerUrl } from '../support/databases.ts'
import { assertUnavailable } from '../support/error.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { startService, type TestService, type TestTenant } from '../support/service.ts'

onEitherDatabase('A tenant whose database cannot be reached', (database) => {
  const lines: string[] = []
  let service: TestService
  let wire: Wire
  let future: FutureDatabase
  let tenant: TestTenant
  before(async () => {
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    service = await startService(database, {}, { log })
    wire = await Wire.to(await postgresServerUrl())
    future = await futureDatabase(new URL(wire.url))
    await wire.cut()
    // Its users live in the catalogue, so they can be made and can sign in.
    tenant = await service.newTenant({ connectionString: future.url })
  })
  after(async () => {
    await service.stop()
    await wire.cut()
    await future.drop()
  })

  it('gets 503 with Retry-After for its data, and nothing else suffers', async () => {
    assertUnavailable(await tenant.user.get('/api/products'))
    assertUnavailable(await tenant.user.post('/api/products', { name: 'Desk', price: 1 }))
    assertUnavailable(await service.anonymous.get('/api/products', { 'x-tenant-id': tenant.id }))
    assert.equal((await tenant.user.get('/api/auth/me')).status, 200)
    assert.equal((await tenant.admin.get('/api/users')).status, 200)
    assert.equal((await service.host.get('/api/products')).status, 200)
    assert.equal((await service.anonymous.get('/health/ready')).status, 200)
  })

  it('is told so, without a word about where the database is', async () => {
    const { status, body, text } = await tenant.admin.get(`/api/tenants/${tenant.id}/database`)
    assert.equal(status, 200)
    assert.deepEqual(body, { kind: 'postgres', status: 'failed', message: body.message, isMoving: false })
    assert.ok(body.message.length > 10)
    for (const part of ['127.0.0.1', new URL(future.url).port, 'postgres://'])
      assert.ok(!text.includes(part), part)
  })

  it('still gets 400 and 401 before 503', async () => {
    assert.equal((await tenant.user.post('/api/products', {})).status, 400)
    const stranger = service.anonymous.withToken('garbage')
    assert.equal((await stranger.get('/api/products', { 'x-tenant-id': tenant.id })).status, 401)
  })

  it('has it created and migrated once it can be reached, without a restart', async () => {
    assert.equal(await future.exists(), false)
    await wire.mend()
    const add = async () =>
      (await tenant.user.post('/api/products', { name: 'Desk', price: 1 })).status === 201
    await eventually('the database', soonMs, add)
    assert.equal(await future.exists(), true)
    assert.equal((await tenant.admin.get(`/api/tenants/${tenant.id}/database`)).body.status, 'ready')
  })

  it('gets 503 when it is lost later, and its data when it is back', async () => {
    await wire.cut()
    assertUnavailable(await tenant.user.get('/api/products'))
    assert.equal((await tenant.admin.get(`/api/tenants/${tenant.id}/database`)).body.status, 'failed')
    await wire.mend()
    const isBack = async () => (await tenant.user.get('/api/products')).status === 200
    await eventually('the data', soonMs, isBack)
    assert.equal((await tenant.user.get('/api/products')).body[0].name, 'Desk')
  })

  it('leaves its password in no line of the log', () => {
    const { password } = new URL(future.url)
    const whole = lines.join('')
    assert.match(whole, /The database of this tenant is not ready yet/)
    assert.ok(!whole.includes(`:${password}@`) && !whole.includes(future.url))
  })
})

describe('A service that stops while the database of a tenant is silent', () => {
  it('gives up waiting for it', async () => {
    const wire = await Wire.to(await postgresServerUrl())
    const service = await startService('sqlite')
    wire.hold()
    const tenant = { id: 'silent', name: 'Silent', connectionString: wire.url }
    assert.equal((await service.host.post('/api/tenants', tenant)).status, 201)
    await service.stop() // or for ever
    await wire.cut()
  })
})

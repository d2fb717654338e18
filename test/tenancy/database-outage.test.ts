import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, it } from 'node:test'
import { pino } from 'pino'
import { futureDatabase } from '../support/database/future-database.ts'
import { Wire } from '../support/database/wire.ts'
import { onEitherDatabase, postgresServerUrl } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { person, startService, type TestService } from '../support/service.ts'

interface Line {
  level: number
  tenantId?: string
  msg: string
}

const away = 'tenant database unavailable; retried with growing pauses'
const warning = 40

onEitherDatabase('A database of a tenant that is away', (database) => {
  let written: string[] = []
  let service: TestService
  before(async () => {
    const log = pino({ level: 'debug' }, { write: (line: string) => void written.push(line) })
    service = await startService(database, {}, { log })
  })
  after(() => service.stop())

  /** Those about one tenant, without the requests that failed. */
  const linesOf = (tenantId: string): string[] =>
    written
      .map((line): Line => JSON.parse(line))
      .filter((line) => line.tenantId === tenantId && line.level >= warning)
      .map(({ msg }) => msg)
      .filter((text) => !['request', 'unavailable', 'unavailable, not logged individually'].includes(text))

  it('is not tried anew by each who asks, and is told of in one line', async () => {
    let attempts = 0
    const server = createServer((socket) => {
      attempts++
      socket.on('error', () => undefined).destroy()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo // it listens on TCP
    const tenant = await service.newTenant({ connectionString: `postgres://u:p@127.0.0.1:${port}/own` })
    // Something waits for the background as well, which goes on trying.
    assert.equal((await tenant.admin.post('/api/users', person('late'))).status, 201)
    const retryAfter: number[] = []
    for (let count = 0; count < 50; count++) {
      const { status, headers } = await tenant.user.get('/api/products')
      assert.equal(status, 503)
      retryAfter.push(Number(headers.get('retry-after')))
    }
    for (let count = 0; count < 10; count++) await service.service.queueWorkers.drain()
    assert.ok(attempts > 0 && attempts < 50, `${attempts} attempts`)
    assert.ok(retryAfter.every((seconds) => seconds >= 1 && seconds <= 5))
    assert.deepEqual(linesOf(tenant.id), [away])
    // Whoever asks for its state has it tried at once.
    const soFar = attempts
    const state = await tenant.admin.get(`/api/tenants/${tenant.id}/database`)
    assert.equal(state.body.status, 'failed')
    assert.ok(attempts > soFar)
    // A change of the tenant, which may have another database, has it tried at once as well.
    const beforeChange = attempts
    assert.equal((await service.host.put(`/api/tenants/${tenant.id}`, { name: 'Renamed' })).status, 200)
    await eventually('an attempt', soonMs, async () => {
      assert.equal((await tenant.user.get('/api/products')).status, 503)
      return attempts > beforeChange
    })
    assert.deepEqual(linesOf(tenant.id), [away])
    server.close()
  })

  it('is told of again when it is another one', async () => {
    const nowhere = (name: string) => ({ connectionString: `postgres://u:p@127.0.0.1:1/${name}` })
    const tenant = await service.newTenant(nowhere('one'))
    const isAway = async () => (await tenant.user.get('/api/products')).status === 503
    assert.ok(await isAway())
    assert.equal((await service.host.put(`/api/tenants/${tenant.id}`, nowhere('other'))).status, 200)
    await eventually('the other', soonMs, async () => (await isAway()) && linesOf(tenant.id).length > 1)
    assert.deepEqual(linesOf(tenant.id), [away, away])
  })

  it('is told of again when it is back', async () => {
    const wire = await Wire.to(await postgresServerUrl())
    const future = await futureDatabase(new URL(wire.url))
    await wire.cut()
    const tenant = await service.newTenant({ connectionString: future.url })
    assert.equal((await tenant.user.get('/api/products')).status, 503)
    await wire.mend()
    const isBack = async () => (await tenant.user.get('/api/products')).status === 200
    await eventually('its database', soonMs, isBack)
    assert.deepEqual(linesOf(tenant.id), [away])
    const back = written
      .map((line): Line => JSON.parse(line))
      .filter(({ msg }) => msg === 'tenant database available again')
    assert.deepEqual(
      back.map(({ tenantId }) => tenantId),
      [tenant.id],
    )
    written = []
    await service.stop()
    await wire.cut()
    await future.drop()
  })
})

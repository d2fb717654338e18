import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { moveTenant } from '../../src/operations/move/move.ts'
import type { TenantOverview } from '../../src/operations/tenant-overview/schema.ts'
import { TestClock } from '../support/clock.ts'
import { futureDatabase } from '../support/database/future-database.ts'
import { onEachDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { person, type TestService, uniqueName } from '../support/service.ts'
import { answering, type Scene, setScene } from '../support/webhooks/delivery-scene.ts'

onEachDatabase('The overview of tenants', (database) => {
  const clock = new TestClock()
  let scene: Scene
  before(async () => {
    scene = await setScene(database, {}, { clock: clock.now })
  })
  after(() => scene[Symbol.asyncDispose]())

  it('has the place, the size, the users and the failing webhooks of each', async () => {
    const { service, tenant } = scene
    const receiver = await scene.receiver(answering(500))
    await scene.subscribe(receiver, { retrySeconds: [], events: ['bad.*'] }, tenant.user)
    await scene.publish('bad.thing', {}, tenant.user)
    await scene.look()
    await tenant.admin.post('/api/users', person('third'))
    const text = { 'content-type': 'text/plain' }
    const uploaded = await tenant.admin.send('POST', '/api/files?name=a.txt', 'twelve bytes', text)
    assert.equal(uploaded.status, 201)
    const file = `${uniqueName('own')}.db`
    const own = await service.newTenant({ connectionString: `sqlite:${file}`, plan: 'pro' })
    await own.admin.post('/api/products', { name: 'Desk', price: 1 })
    await service.host.delete(`/api/tenants/${own.id}`)
    clock.advance({ minutes: 10 }) // on a busy machine counting takes long, and is then done less often

    const all = await overview(service)
    const { name, createdAt } = (await service.host.get(`/api/tenants/${tenant.id}`)).body
    assert.deepEqual(all.get(tenant.id), {
      id: tenant.id,
      name,
      subdomain: null,
      plan: null,
      isActive: true,
      createdAt,
      isBeingErased: false,
      isMoving: false,
      database: 'shared',
      databaseBytes: null,
      estimate: null, // nobody has looked before
      fileBytes: 12,
      users: 3,
      failingSubscriptions: 1,
      deactivatedSubscriptions: 0,
      usage: { requests: 0, errors: 0, signIns: 0, requestsByDay: Array.from({ length: 14 }, () => 0) },
      databaseFault: null,
    })
    const found = all.get(own.id)
    assert.deepEqual([found?.plan, found?.isActive, found?.users], ['pro', false, 2])
    assert.deepEqual([found?.database, found?.fileBytes], ['sqlite', null])
    const { size } = statSync(join(service.dataDir, 'tenants', file))
    assert.ok((found?.databaseBytes ?? 0) >= size && size > 0)
  })

  it('has the size of a database on the server of the service, and says what is being moved', async () => {
    await using last = new AsyncDisposableStack()
    const future = await futureDatabase()
    last.defer(() => future.drop())
    const { service } = scene
    const own = await service.newTenant({ connectionString: future.url })
    await own.admin.get('/api/products')
    const operator = await service.service.operator()
    const reached = (phase: string): void => {
      if (phase === 'verified') throw new Error('ended')
    }
    await assert.rejects(moveTenant(operator, scene.tenant.id, 'sqlite:half.db', { reached }), /ended/)
    const all = await overview(service)
    const found = all.get(own.id)
    assert.equal(found?.database, 'postgres')
    const megabytes = Math.floor((found?.databaseBytes ?? 0) / 1_000_000)
    assert.equal(megabytes > 0, database === 'postgres', 'only a server that is asked anyway tells it')
    assert.deepEqual([all.get(scene.tenant.id)?.isMoving, found?.isMoving], [true, false])
  })

  it('has pages, in the order of the ids, and is for the host alone', async () => {
    const { service, tenant } = scene
    for (const id of ['b2', 'B1', 'b3']) await service.host.post('/api/tenants', { id, name: id })
    const first = await service.host.get('/api/tenant-overview?limit=2')
    const idsOf = ({ body }: { body: TenantOverview[] }) => body.map(({ id }) => id)
    assert.deepEqual(idsOf(first), ['B1', 'b2'])
    const [, next = ''] = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
    const rest = await service.host.get(next)
    assert.deepEqual(idsOf(rest).slice(0, 2), ['b3', 'default'])
    assert.equal((await service.host.get('/api/tenant-overview?cursor=AAA')).status, 400)
    const refused = await tenant.admin.get('/api/tenant-overview')
    assertError(refused, 403, 'This requires the permission operation:read.')
  })
})

async function overview({ host }: TestService): Promise<Map<string, TenantOverview>> {
  const { status, body, text } = await host.get('/api/tenant-overview?limit=200')
  assert.equal(status, 200, text)
  return new Map(body.map((each: TenantOverview) => [each.id, each]))
}

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { intervalJobsOf } from '../../src/core/jobs.ts'
import { TestClock } from '../support/clock.ts'
import { onEachDatabase, onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { walkPages } from '../support/pages.ts'
import { type TestTenant, uniqueName } from '../support/service.ts'
import { answering, type Scene, setScene } from '../support/webhooks/delivery-scene.ts'

onEachDatabase('Dead letters of all tenants', (database) => {
  it('are listed by tenant and subscription, and sent again in one request', async () => {
    const clock = new TestClock()
    await using scene = await setScene(database, {}, { clock: clock.now })
    const { service } = scene
    const [one, other, healthy] = [scene.tenant, await service.newTenant(), await service.newTenant()]
    let status = 500
    const receiver = await scene.receiver((response) => void response.writeHead(status).end())
    const first = await fail(scene, one, receiver, 3)
    const second = await fail(scene, other, receiver, 1)
    await scene.publish('bad.thing', {}, healthy.user)

    const found = (await service.host.get('/api/dead-letters')).body
    const receiverHost = new URL(receiver.url).host
    const described = { receiver: receiverHost, isActive: true }
    assert.deepEqual(found, [
      { tenantId: one.id, subscriptionId: first, ...described, deliveries: 3 },
      { tenantId: other.id, subscriptionId: second, ...described, deliveries: 1 },
    ])
    const pages = await walkPages(service.host, '/api/dead-letters?limit=1&fields=tenantId&count=true')
    assert.deepEqual(
      pages.map(({ body, headers }) => [body, headers.get('x-total-count')]),
      [one, other].map(({ id }) => [[{ tenantId: id }], '2']),
    )

    const ofOther = await service.host.get(`/api/dead-letters?tenantId=${other.id}`)
    assert.deepEqual(ofOther.body, found.slice(1))

    const items = [
      { tenantId: one.id, subscriptionId: first, deliveries: 3 },
      { tenantId: other.id, subscriptionId: second, deliveries: 1 },
    ].sort((left, right) => (left.tenantId < right.tenantId ? -1 : 1))
    status = 200
    clock.advance({ seconds: 1 })
    const replayed = await service.host.post('/api/dead-letters/replay', {})
    assert.deepEqual(
      [replayed.status, replayed.body],
      [202, { deliveries: 4, tenants: 2, items, failures: [], next: null }],
    )
    await scene.look()
    clock.advance({ minutes: 10 })
    assert.deepEqual((await service.host.get('/api/dead-letters')).body, [])
    const { body: deliveries } = await one.admin.get('/api/webhooks/deliveries')
    assert.deepEqual(
      deliveries.map((each: { status: string }) => each.status),
      ['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED'],
    )
    const [record] = (await one.admin.get('/api/audit?action=deadLetters.replayed')).body
    assert.deepEqual([record.actorName, record.subjectId, record.detail], ['admin', first, { deliveries: 3 }])
    const [requested] = (await service.host.get('/api/audit?action=deadLetters.replayRequested')).body
    assert.deepEqual([requested.actorName, requested.subjectType], ['admin', 'installation'])
  })
})

onEitherDatabase('Dead letters, as they are sent again', (database) => {
  it('are those of one tenant, or of one subscription', async () => {
    await using scene = await setScene(database)
    const { service, tenant } = scene
    let status = 500
    const receiver = await scene.receiver((response) => void response.writeHead(status).end())
    const chosen = await fail(scene, tenant, receiver, 1)
    const left = await fail(scene, tenant, receiver, 1, 'worse')
    const other = await service.newTenant()
    await fail(scene, other, receiver, 1)
    status = 200
    const replay = (asked: object) => service.host.post('/api/dead-letters/replay', asked)
    const { body } = await replay({ tenantId: tenant.id, subscriptionId: chosen })
    assert.deepEqual([body.deliveries, body.tenants, body.next], [1, 1, null])
    const { body: waiting } = await tenant.admin.get('/api/webhooks/deliveries?status=DEAD')
    assert.deepEqual(
      waiting.map((each: { subscriptionId: string }) => each.subscriptionId),
      [left],
    )
    assert.equal((await replay({ tenantId: other.id })).body.deliveries, 1)
  })

  it('are those of tenants with their own database as well, and not those of deactivated tenants', async () => {
    await using scene = await setScene(database)
    const { service, tenant } = scene
    const receiver = await scene.receiver(answering(500))
    const own = await service.newTenant({ connectionString: `sqlite:${uniqueName('own')}.db` })
    const subscriptionId = await fail(scene, own, receiver, 1)
    await fail(scene, tenant, receiver, 1)
    await service.host.delete(`/api/tenants/${tenant.id}`)
    const operator = await service.service.operator()
    const count = intervalJobsOf(service.service.features).find(
      ({ name }) => name === 'count in tenants’ databases',
    )
    await count?.run(operator, new AbortController().signal)
    const { body: found } = await service.host.get('/api/dead-letters')
    const ofOwn = found.find((each: { tenantId: string }) => each.tenantId === own.id)
    assert.deepEqual([ofOwn.subscriptionId, ofOwn.deliveries], [subscriptionId, 1])
    const { body } = await service.host.post('/api/dead-letters/replay', {})
    const items = [{ tenantId: own.id, subscriptionId, deliveries: 1 }]
    const failures = [{ tenantId: tenant.id, message: 'The tenant is deactivated.' }]
    assert.deepEqual(body, { deliveries: 1, tenants: 1, items, failures, next: null })
  })

  it('go on at a cursor, without those that have died again', async () => {
    const clock = new TestClock()
    await using scene = await setScene(database, {}, { clock: clock.now })
    const receiver = await scene.receiver(answering(500))
    await fail(scene, scene.tenant, receiver, 2)
    const replay = (body: object) => scene.service.host.post('/api/dead-letters/replay', body)
    const early = Buffer.from(`${new Date(clock.now().getTime() - 1000).toISOString()}/`).toString(
      'base64url',
    )
    assert.equal((await replay({ cursor: early })).body.deliveries, 0)
    const now = Buffer.from(`${clock.now().toISOString()}/`).toString('base64url')
    const past = Buffer.from(`${clock.now().toISOString()}/~`).toString('base64url')
    assert.equal((await replay({ cursor: past })).body.deliveries, 0)
    assert.equal((await replay({ cursor: now })).body.deliveries, 2)
    assert.equal((await replay({ cursor: 'AAAA' })).status, 400)
  })

  it('are for the host alone, and a subscription is named with its tenant', async () => {
    await using scene = await setScene(database)
    const { service, tenant } = scene
    const listed = await tenant.admin.get('/api/dead-letters')
    assertError(listed, 403, 'This requires the permission operation:read.')
    const replayed = await tenant.admin.post('/api/dead-letters/replay', {})
    assertError(replayed, 403, 'This requires the permission operation:write.')
    const replay = (body: object) => service.host.post('/api/dead-letters/replay', body)
    assert.equal((await replay({ tenantId: 'nobody' })).status, 404)
    assert.equal((await replay({ subscriptionId: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11' })).status, 400)
  })
})

type Receiver = Awaited<ReturnType<Scene['receiver']>>

/** @returns the id of the subscription */
async function fail(
  scene: Scene,
  { user }: TestTenant,
  receiver: Receiver,
  count: number,
  kind = 'bad',
): Promise<string> {
  const id = await scene.subscribe(receiver, { retrySeconds: [], events: [`${kind}.*`] }, user)
  for (let number = 0; number < count; number++) await scene.publish(`${kind}.thing`, {}, user)
  await scene.look()
  return id
}

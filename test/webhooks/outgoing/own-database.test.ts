/** Tenants with a database of their own are served as well, and their databases left alone while nothing is due. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { it } from 'node:test'
import { TestClock } from '../../support/clock.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase, onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startInstance } from '../../support/instance.ts'
import { runsOf } from '../../support/run/extent.ts'
import { person, uniqueName } from '../../support/service.ts'
import {
  answering,
  onlyDelivery,
  publish,
  type Scene,
  setScene,
  subscribe,
} from '../../support/webhooks/delivery-scene.ts'
import { scenesOfOwn, scenesOfShared } from '../scenes.ts'

/** Eight are visited at once, each for half a second: for five, until connecting has failed, they would take 15 s. */
const silentFirst = 24
const withinMs = 10_000
const unreachable = runsOf(20, 205)
const file = () => ({ connectionString: `sqlite:${uniqueName('own')}.db` })

onEachDatabase('Deliveries of a tenant with a database of its own, the catalogue', (database) => {
  const newScene = scenesOfShared(database)

  it('are made and recorded there', async () => {
    await using scene = await newScene()
    const { id, user } = await scene.service.newTenant(file())
    const receiver = await scene.receiver()
    await subscribe(user, receiver)
    await publish(user)
    await eventually('the delivery, by itself', soonMs, async () => receiver.requests.length === 1)
    await scene.look()
    assert.equal((await onlyDelivery(user)).status, 'SUCCEEDED')
    const ofTenant = `SELECT id FROM delivery WHERE tenant_id = '${id}'`
    assert.deepEqual(await inspect(scene.service.config.databaseUrl, ofTenant), [])
  })

  it('tell also of what happens in the catalogue, once', async () => {
    await using scene = await newScene()
    const tenant = await scene.service.newTenant(file())
    await scene.look()
    const receiver = await scene.receiver()
    await subscribe(tenant.admin, receiver, { events: ['user.*', 'tenant.*'] })
    const member = {
      userName: 'late',
      email: 'l@example.com',
      password: 'Admin@123',
      firstName: 'L',
      lastName: 'T',
    }
    assert.equal((await tenant.admin.post('/api/users', member)).status, 201)
    assert.equal((await scene.service.host.put(`/api/tenants/${tenant.id}`, { plan: 'gold' })).status, 200)
    await eventually('both', soonMs, async () => receiver.requests.length >= 2)
    await scene.look()
    const types = receiver.requests.map(({ body }) => JSON.parse(body).type)
    assert.deepEqual(types.toSorted(), ['tenant.updated', 'user.created'])
  })
})

onEitherDatabase('Deliveries of a tenant with a database of its own, the catalogue', (database) => {
  const newScene = scenesOfShared(database)

  it('leave the mark of the tenant only while something may wait there', async () => {
    const clock = new TestClock()
    await using scene = await setScene(database, {}, { clock: clock.now })
    const tenant = await scene.service.newTenant(file())
    const marks = async () => {
      const rows = await inspect(scene.service.config.databaseUrl, 'SELECT tenant_id FROM pending_tenant')
      return rows.map((row) => row['tenant_id'])
    }
    const members = { retrySeconds: [600], events: ['thing.*'] }
    await subscribe(tenant.user, await scene.receiver(answering(500)), members)
    await publish(tenant.user)
    assert.deepEqual(await marks(), [tenant.id])
    await scene.look()
    clock.advance({ minutes: 6 })
    await scene.look()
    assert.deepEqual(await marks(), [tenant.id], 'its retry still waits')
    clock.advance({ minutes: 6 })
    await scene.look()
    await scene.look()
    assert.deepEqual(await marks(), [])
  })

  it('are made once, also when two tenants share that database', async () => {
    await using scene = await newScene()
    const shared = file()
    const [one, other] = [await scene.service.newTenant(shared), await scene.service.newTenant(shared)]
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const receiver = await scene.receiver(async (response) => {
      await released
      response.end()
    })
    await subscribe(one.user, receiver, { events: ['thing.*'] })
    await publish(one.user)
    await eventually('the first attempt', soonMs, async () => receiver.requests.length === 1)
    const seen = await scene.receiver()
    await subscribe(other.user, seen, { events: ['thing.*'] })
    await publish(other.user)
    await eventually('that of the other', soonMs, async () => seen.requests.length === 1)
    release()
    await scene.look()
    assert.equal(receiver.requests.length, 1)
    assert.equal((await onlyDelivery(one.user)).attempts, 1)
  })

  it('are retried when they fall due, though the database was given back in between', async () => {
    await using scene = await setScene(database, { OPEN_TENANT_DATABASES: '1' })
    const { user } = await scene.service.newTenant(file())
    let status = 500
    const receiver = await scene.receiver((response) => response.writeHead(status).end())
    await subscribe(user, receiver, { retrySeconds: [1] })
    await publish(user)
    await eventually('the first attempt', soonMs, async () => receiver.requests.length === 1)
    status = 200
    await (await scene.service.newTenant(file())).user.get('/api/products')
    await eventually('the second attempt', soonMs, async () => receiver.requests.length === 2)
    await scene.look()
    assert.equal((await onlyDelivery(user)).attempts, 2)
  })

  it('are found after a restart', async () => {
    await using scene = await setScene(database)
    const tenant = await scene.service.newTenant(file())
    const receiver = await scene.receiver(answering(500))
    await subscribe(tenant.user, receiver, { retrySeconds: [60] })
    await publish(tenant.user)
    await eventually('the first attempt', soonMs, async () => receiver.requests.length === 1)
    await scene.look()
    await scene.service.service.stop()
    const clock = new TestClock()
    clock.advance({ minutes: 2 })
    const next = await startInstance(scene.service, { clock: clock.now })
    await eventually('the second attempt', soonMs, async () => receiver.requests.length === 2)
    await next.stop()
  })
})

onEitherDatabase('Databases of tenants that do not answer, the catalogue', (database) => {
  const newScene = scenesOfOwn(database)

  it('hold up nobody while that database does not answer', async () => {
    await using scene = await newScene()
    await using silent = await startSilent(scene)
    const receiver = await scene.receiver()
    await scene.subscribe(receiver)
    for (let count = 0; count < 3; count++) await silent.newTenant(uniqueName('silent'))
    await scene.publish()
    await eventually('the delivery', soonMs, async () => receiver.requests.length === 1)
  })

  it('hold up no other tenant with such a database, though many of them do not answer and come first', async () => {
    await using scene = await newScene()
    const healthy = await scene.service.newTenant(file())
    const receiver = await scene.receiver()
    await subscribe(healthy.admin, receiver, { events: ['user.created'] })
    await scene.look()
    const before = receiver.requests.length
    await using silent = await startSilent(scene)
    for (let count = 0; count < silentFirst; count++) await silent.newTenant(uniqueName('0-silent'))
    assert.equal((await healthy.admin.post('/api/users', person('late'))).status, 201)
    await eventually('its event', withinMs, async () => receiver.requests.length === before + 1)
  })

  it('hold up nobody while many such databases cannot be reached', async () => {
    await using scene = await newScene()
    const receiver = await scene.receiver()
    await scene.subscribe(receiver)
    const refused = { connectionString: 'postgres://u:p@127.0.0.1:1/none' }
    const ids = Array.from(
      { length: unreachable },
      (_, index) => `0-${String(index).padStart(3, '0')}-${uniqueName('a')}`,
    )
    for (const id of ids) await scene.service.host.post('/api/tenants', { id, name: id, ...refused })
    await scene.publish()
    await eventually('the delivery', soonMs, async () => receiver.requests.length === 1)
  })
})

/** A server that takes connections and says nothing. */
async function startSilent(scene: Scene) {
  const hole = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(hole, 'listening')
  const { port } = hole.address() as AddressInfo // it listens on TCP
  return {
    newTenant: async (id: string) => {
      const connectionString = `postgres://u:p@127.0.0.1:${port}/${id}`
      const made = await scene.service.host.post('/api/tenants', { id, name: id, connectionString })
      assert.equal(made.status, 201, made.text)
    },
    [Symbol.asyncDispose]: async () => void hole.close(),
  }
}

/** Tenants with a database of their own: served as well, and left alone while nothing waits there. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually } from '../concurrency/eventually.ts'
import { startInstance } from '../concurrency/instance.ts'
import { inspect } from '../database/inspect.ts'
import { onEachDatabase } from '../harness/databases.ts'
import { uniqueName } from '../harness/service.ts'
import { TestClock } from '../session/clock.ts'
import { answering, onlyDelivery, publish, setScene, subscribe } from './scene.ts'

onEachDatabase('Deliveries of a tenant with a database of its own, the catalogue', (database) => {
  const file = () => ({ connectionString: `sqlite:${uniqueName('own')}.db` })

  it('are made and recorded there', async () => {
    await using scene = await setScene(database)
    const { user } = await scene.service.newTenant(file())
    const receiver = await scene.receiver()
    await subscribe(user, receiver)
    await publish(user)
    await eventually('the delivery, by itself', 5000, async () => receiver.requests.length === 1)
    await scene.look()
    assert.equal((await onlyDelivery(user)).status, 'SUCCEEDED')
    assert.deepEqual(await inspect(scene.service.config.databaseUrl, 'SELECT id FROM delivery'), [])
  })

  it('tell also of what happens in the catalogue, once', async () => {
    await using scene = await setScene(database)
    const tenant = await scene.service.newTenant(file())
    await scene.look()
    const receiver = await scene.receiver()
    await subscribe(tenant.user, receiver, { events: ['user.*', 'tenant.*'] })
    const member = {
      userName: 'late',
      email: 'l@example.com',
      password: 'Admin@123',
      firstName: 'L',
      lastName: 'T',
    }
    assert.equal((await tenant.admin.post('/api/users', member)).status, 201)
    assert.equal((await scene.service.host.put(`/api/tenants/${tenant.id}`, { plan: 'gold' })).status, 200)
    await eventually('both', 5000, async () => receiver.requests.length >= 2)
    await scene.look()
    const types = receiver.requests.map(({ body }) => JSON.parse(body).type)
    assert.deepEqual(types.toSorted(), ['tenant.updated', 'user.created'])
  })

  it('are retried when they fall due, though the database was given back in between', async () => {
    await using scene = await setScene(database, { OPEN_TENANT_DATABASES: '1' })
    const { user } = await scene.service.newTenant(file())
    let status = 500
    const receiver = await scene.receiver((response) => response.writeHead(status).end())
    await subscribe(user, receiver, { retrySeconds: [1] })
    await publish(user)
    await eventually('the first attempt', 5000, async () => receiver.requests.length === 1)
    status = 200
    for (let count = 0; count < 3; count++)
      await (await scene.service.newTenant(file())).user.get('/api/products')
    await eventually('the second attempt', 5000, async () => receiver.requests.length === 2)
    await scene.look()
    assert.equal((await onlyDelivery(user)).attempts, 2)
  })

  it('are found after a restart', async () => {
    await using scene = await setScene(database)
    const tenant = await scene.service.newTenant(file())
    const receiver = await scene.receiver(answering(500))
    await subscribe(tenant.user, receiver, { retrySeconds: [60] })
    await publish(tenant.user)
    await eventually('the first attempt', 5000, async () => receiver.requests.length === 1)
    await scene.look()
    await scene.service.service.stop()
    const clock = new TestClock()
    clock.advance({ minutes: 2 })
    const next = await startInstance(scene.service, { clock: clock.now })
    await eventually('the second attempt', 5000, async () => receiver.requests.length === 2)
    await next.stop()
  })

  it('leave the mark of the tenant only while something may wait there', async () => {
    const clock = new TestClock()
    await using scene = await setScene(database, {}, { clock: clock.now })
    const tenant = await scene.service.newTenant(file())
    const marks = async () => {
      const rows = await inspect(scene.service.config.databaseUrl, 'SELECT tenant_id FROM attended')
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
})

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { sharedService, type TestService, type TestTenant, uniqueName } from '../support/service.ts'

onEitherDatabase('An administrator of a tenant', (database) => {
  let service: TestService
  let own: TestTenant
  let other: TestTenant
  before(async () => {
    service = await sharedService(database)
    own = await service.newTenant()
    other = await service.newTenant()
  })
  after(() => service.stop())

  it('sees this one tenant in the list and by its id', async () => {
    const list = await own.admin.get('/api/tenants')
    assert.deepEqual(
      list.body.map(({ id }: { id: string }) => id),
      [own.id],
    )
    const one = await own.admin.get(`/api/tenants/${own.id.toUpperCase()}`)
    assert.deepEqual(one.body, list.body[0])
    const state = await own.admin.get(`/api/tenants/${own.id}/database`)
    assert.deepEqual(state.body, { kind: 'shared', status: 'ready', message: null, isMoving: false })
  })

  it('gets for others what it gets for tenants that do not exist', async () => {
    const calls: ((client: Client, id: string) => ReturnType<Client['get']>)[] = [
      (client, id) => client.get(`/api/tenants/${id}`),
      (client, id) => client.get(`/api/tenants/${id}/database`),
      (client, id) => client.put(`/api/tenants/${id}`, { name: 'Mine' }),
      (client, id) => client.put(`/api/tenants/${id}`, { isActive: false }),
      (client, id) => client.put(`/api/tenants/${id}`, { connectionString: 'sqlite:mine.db' }),
    ]
    for (const call of calls) {
      const absent = await call(own.admin, 'nobody')
      assert.equal(absent.status, 404)
      for (const id of [other.id, 'default']) {
        const foreign = await call(own.admin, id)
        assert.equal(foreign.status, 404)
        assert.equal(foreign.text, absent.text)
      }
    }
    assert.equal((await service.host.get(`/api/tenants/${other.id}`)).body.name, other.id)
  })

  it('can neither create nor delete a tenant', async () => {
    const id = uniqueName('tenant')
    assert.equal((await own.admin.post('/api/tenants', { id, name: id })).status, 403)
    assert.equal((await service.host.get(`/api/tenants/${id}`)).status, 404)
    for (const each of [own.id, other.id, 'default', 'nobody']) {
      assert.equal((await own.admin.delete(`/api/tenants/${each}`)).status, 403, each)
    }
  })

  it('can neither close its own tenant nor move its data', async () => {
    const path = `/api/tenants/${own.id}`
    for (const change of [{ isActive: false }, { isActive: true }, { connectionString: 'sqlite:mine.db' }]) {
      assert.equal((await own.admin.put(path, change)).status, 403, JSON.stringify(change))
    }
    assert.equal((await own.admin.get(path)).body.isActive, true)
  })

  it('cannot set its own plan', async () => {
    const path = `/api/tenants/${own.id}`
    assert.equal((await service.host.put(path, { plan: 'free' })).status, 200)
    for (const plan of ['enterprise', null]) {
      const refused = await own.admin.put(path, { name: 'Better', plan })
      assert.equal(refused.status, 403)
      assert.deepEqual(refused.body, { message: 'Only the host sets the plan of a tenant.' })
    }
    assert.equal((await own.admin.get(path)).body.plan, 'free')
    assert.equal((await own.admin.put(path, { name: 'Same', plan: 'free' })).status, 200)
  })

  it('can rename its own tenant', async () => {
    const answer = await own.admin.put(`/api/tenants/${own.id}`, { name: 'Renamed' })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.name, 'Renamed')
  })
})

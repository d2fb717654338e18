import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { openOperator } from '../../src/cli/with-operator.ts'
import { updateTenant } from '../../src/tenancy/tenant.ts'
import type { Client } from '../support/client.ts'
import { onEachDatabase } from '../support/databases.ts'
import { eventually, soonMs } from '../support/eventually.ts'
import { type Instance, startOther } from '../support/instance.ts'
import { startService, type TestService, uniqueName, usualOptions } from '../support/service.ts'

/** On SQLite it is changed beside the service, as the command line does. */
onEachDatabase('What one instance changes of a tenant is so on the other within a second:', (database) => {
  let service: TestService
  let other: Instance
  before(async () => {
    service = await startService(database, { BASE_DOMAIN: 'example.org' })
    other = await startOther(service)
  })
  after(async () => {
    await other.stop()
    await service.stop()
  })

  it('its subdomain, which another tenant may then take', async () => {
    const [old, fresh] = [uniqueName('old'), uniqueName('new')]
    const tenant = await service.newTenant({ subdomain: old })
    const next = await service.newTenant()
    for (const [{ user }, name] of [
      [tenant, 'Mine'],
      [next, 'Theirs'],
    ] as const) {
      assert.equal((await user.post('/api/products', { name, price: 1 })).status, 201)
    }
    const at = (subdomain: string) => listed(other.anonymous, `${subdomain}.example.org`)
    assert.deepEqual([await at(old), await at(fresh)], ['Mine', '404'])
    await change(tenant.id, { subdomain: fresh })
    await eventually('the new one', soonMs, async () => (await at(fresh)) === 'Mine')
    await eventually('the end of the old one', soonMs, async () => (await at(old)) === '404')
    await change(next.id, { subdomain: old })
    await eventually('the other tenant', soonMs, async () => (await at(old)) === 'Theirs')
  })

  it('its connection string, for what is read and for what is written', async () => {
    const tenant = await service.newTenant()
    const there = other.anonymous.with(tenant.user.headers)
    const moveTo = async (connectionString: string | null): Promise<void> => {
      await change(tenant.id, { connectionString })
      const isReady = async () =>
        (await service.host.get(`/api/tenants/${tenant.id}/database`)).body.status === 'ready'
      await eventually('the database', soonMs, isReady)
    }
    await add(there, 'Shared')
    const [first, second] = [`sqlite:${uniqueName('first')}.db`, `sqlite:${uniqueName('second')}.db`]
    for (const [connectionString, name] of [
      [first, 'First'],
      [second, 'Second'],
    ] as const) {
      await moveTo(connectionString)
      await eventually('an empty database', soonMs, async () => (await listed(there)) === '')
      await add(there, name)
      assert.equal(await listed(tenant.user), name)
    }
    for (const [connectionString, name] of [
      [first, 'First'],
      [null, 'Shared'],
    ] as const) {
      await moveTo(connectionString)
      await eventually(`what was there: ${name}`, soonMs, async () => (await listed(there)) === name)
    }
  })

  async function change(id: string, members: object): Promise<void> {
    if (database === 'sqlite') {
      const { context, close } = await openOperator(service.config, usualOptions)
      await updateTenant(context, id, members).finally(close)
      return
    }
    const answer = await service.host.put(`/api/tenants/${id}`, members)
    assert.equal(answer.status, 200, answer.text)
  }
})

async function add(client: Client, name: string): Promise<void> {
  const made = await client.post('/api/products', { name, price: 1 })
  assert.equal(made.status, 201, made.text)
}

/** @returns the names of the products, or the status where they are not shown */
async function listed(client: Client, host?: string): Promise<string> {
  const answer = await client.get('/api/products', host === undefined ? {} : { 'x-forwarded-host': host })
  if (answer.status !== 200) return `${answer.status}`
  return answer.body.map(({ name }: { name: string }) => name).join(' ')
}

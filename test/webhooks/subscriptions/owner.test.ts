/** A subscription gets the events whose rows its owner may read at present, and is seen by its owner alone. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { entity, money, text } from '../../../src/index.ts'
import { migrated } from '../../entity/migrated.ts'
import type { Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { newProduct } from '../../support/orders.ts'
import { person, type TestTenant, uniqueName } from '../../support/service.ts'
import { deliveries, type Scene, setScene } from '../../support/webhooks/delivery-scene.ts'
import type { Receiver } from '../../support/webhooks/receiver.ts'
import { changeSubscription, path, register } from './registration.ts'

const employee = entity('employee', { fields: { name: text(), salary: money() }, access: { read: 'admin' } })
/** Whose rows only administrators get and list, although `read` is that of every user. */
const payslip = entity('payslip', { fields: { total: money() }, access: { get: 'admin', list: 'admin' } })
const customer = entity('customer', { fields: { name: text() } })

interface Member {
  id: string
  client: Client
}

onEitherDatabase('The owner of a subscription', (database) => {
  let scene: Scene
  before(async () => {
    scene = await setScene(database, {}, { features: migrated([employee, payslip, customer]) })
  })
  after(() => scene[Symbol.asyncDispose]())

  const newRole = async ({ admin }: TestTenant, permissions: string[]): Promise<string> => {
    const name = uniqueName('Role')
    const made = await admin.post('/api/roles', { name, permissions })
    assert.equal(made.status, 201, made.text)
    return name
  }
  const newMember = async ({ admin, id: tenantId }: TestTenant, roles: string[]): Promise<Member> => {
    const userName = uniqueName('member')
    const made = await admin.post('/api/users', person(userName, { roles }))
    assert.equal(made.status, 201, made.text)
    return { id: made.body.id, client: (await scene.service.signIn(userName, tenantId)).client }
  }
  const newKey = async ({ admin }: TestTenant, permissions: string[]): Promise<Member> => {
    const made = await admin.post('/api/api-keys', { name: 'Shop', permissions })
    assert.equal(made.status, 201, made.text)
    return { id: made.body.id, client: scene.service.anonymous.withToken(made.body.key) }
  }
  const hire = async ({ admin }: TestTenant): Promise<void> => {
    assert.equal((await admin.post('/api/employees', { name: 'Ada', salary: 9000 })).status, 201)
    assert.equal((await admin.post('/api/customers', { name: 'Acme' })).status, 201)
  }
  /** The subscriptions whose deliveries GraphQL lists. */
  const sentTo = async (client: Client): Promise<string[]> => {
    const query = '{ webhookDeliveries { nodes { subscriptionId } } }'
    const { nodes } = (await client.post('/graphql', { query })).body.data.webhookDeliveries
    return nodes.map(({ subscriptionId }: { subscriptionId: string }) => subscriptionId)
  }
  const typesAt = ({ requests }: Receiver): string[] =>
    requests.map(({ body }) => JSON.parse(body).type).toSorted()
  /** Hires until the receiver has got these types alone. */
  const getsSoon = (tenant: TestTenant, receiver: Receiver, expected: string[]) =>
    eventually(`deliveries of ${expected.join()}`, soonMs, async () => {
      await scene.look()
      receiver.requests.length = 0
      await hire(tenant)
      await scene.look()
      return JSON.stringify(typesAt(receiver)) === JSON.stringify(expected)
    })

  const kinds = {
    'in the shared database': () => ({}),
    'in a database of its own': () => ({ connectionString: `sqlite:${uniqueName('own')}.db` }),
  }
  for (const [kind, members] of Object.entries(kinds)) {
    it(`gets the events of rows that the owner may read, of a tenant ${kind}`, async () => {
      const tenant = await scene.service.newTenant(members())
      const clerk = await newMember(tenant, [
        await newRole(tenant, ['webhook:read', 'webhook:write', 'employee:read']),
      ])
      const key = await newKey(tenant, ['webhook:read', 'webhook:write'])
      const everything = { user: tenant.user, clerk: clerk.client, key: key.client, admin: tenant.admin }
      const at: Record<string, Receiver> = {}
      for (const [name, client] of Object.entries(everything)) {
        const receiver = await scene.receiver()
        at[name] = receiver
        await register(client, { url: receiver.url, events: ['*', 'employee.*', 'customer.*'] })
      }
      await scene.look()
      for (const { requests } of Object.values(at)) requests.length = 0
      await hire(tenant)
      await scene.look()
      const got = Object.fromEntries(Object.entries(at).map(([name, receiver]) => [name, typesAt(receiver)]))
      assert.deepEqual(got, {
        user: ['customer.created'],
        clerk: ['employee.created'],
        key: [],
        admin: ['customer.created', 'employee.created'],
      })
    })
  }

  it('may not name an event whose row the owner may not read, at first or later', async () => {
    const tenant = await scene.service.newTenant()
    const key = await newKey(tenant, ['webhook:read', 'webhook:write'])
    const url = 'https://example.com/'
    const permissionOf = (what: string) => (what === 'payslip' ? 'payslip:list' : `${what}:read`)
    const refusal = (what: string) =>
      `Subscribing to ${what}.created requires the permission ${permissionOf(what)}.`
    const attempts = [
      [tenant.user, 'employee'],
      [tenant.user, 'payslip'],
      [key.client, 'customer'],
      [key.client, 'order'],
    ] as const
    for (const [client, what] of attempts) {
      const events = [`${what}.created`]
      assertError(await client.post(path, { url, events }), 403, refusal(what))
      assertError(await client.post('/api/v1/webhooks', { url, events }), 403, refusal(what))
      const { id } = await register(client, { events: ['*'] })
      assertError(await changeSubscription(client, id, { events }), 403, refusal(what))
    }
  })

  it('is deactivated when the owner loses every right to its events, until the owner resumes it', async () => {
    const tenant = await scene.service.newTenant()
    const permissions = ['webhook:read', 'webhook:write', 'employee:read', 'customer:read']
    const role = await newRole(tenant, permissions)
    const clerk = await newMember(tenant, [role])
    const receiver = await scene.receiver()
    const told = await scene.receiver()
    await register(tenant.admin, { url: told.url, events: ['webhook.deactivated'] })
    const events = ['employee.created', 'customer.created']
    const { id } = await register(clerk.client, { url: receiver.url, events })
    const health = async () => {
      const { isActive, deactivationReason } = (await tenant.admin.get(`${path}/${id}`)).body
      return { isActive, deactivationReason }
    }
    await getsSoon(tenant, receiver, ['customer.created', 'employee.created'])
    const setRole = (granted: string[]) => tenant.admin.put(`/api/roles/${role}`, { permissions: granted })
    assert.equal((await setRole(permissions.slice(0, 2))).status, 200)
    await getsSoon(tenant, receiver, [])
    assert.deepEqual(await health(), { isActive: false, deactivationReason: 'forbidden' })
    await scene.look()
    const [event, ...more] = told.requests.map(({ body }) => JSON.parse(body))
    const { subscriptionId, reason } = event.data
    assert.deepEqual([event.type, subscriptionId, reason], ['webhook.deactivated', id, 'forbidden'])
    assert.deepEqual(more, [])
    assert.equal((await setRole(permissions)).status, 200)
    const isActive = true
    assert.equal((await changeSubscription(clerk.client, id, { isActive })).status, 200)
    assert.deepEqual(await health(), { isActive, deactivationReason: null })
    await getsSoon(tenant, receiver, ['customer.created', 'employee.created'])
    const roles = { roles: ['User'] }
    assert.equal((await tenant.admin.put(`/api/users/${clerk.id}`, roles)).status, 200)
    await getsSoon(tenant, receiver, ['customer.created'])
    assert.deepEqual(await health(), { isActive, deactivationReason: null })
  })

  it('keeps what comes after the owner is gone, until an administrator takes the subscription over', async () => {
    const tenant = await scene.service.newTenant()
    const [one, two] = [await newMember(tenant, ['User']), await newMember(tenant, ['User'])]
    const key = await newKey(tenant, ['webhook:read', 'webhook:write', 'customer:read'])
    const made: { id: string; receiver: Receiver }[] = []
    for (const { client } of [one, two, key]) {
      const receiver = await scene.receiver()
      const { id } = await register(client, { url: receiver.url, events: ['customer.created'] })
      await getsSoon(tenant, receiver, ['customer.created'])
      made.push({ id, receiver })
    }
    const deactivated = await tenant.admin.put(`/api/users/${two.id}`, { isActive: false })
    assert.equal(deactivated.status, 200)
    assert.equal((await tenant.admin.delete(`/api/users/${one.id}`)).status, 204)
    assert.equal((await tenant.admin.delete(`/api/api-keys/${key.id}`)).status, 204)
    for (const { id, receiver } of made) {
      await getsSoon(tenant, receiver, [])
      const kept = (await deliveries(tenant.admin, `&subscriptionId=${id}&status=KEPT`)).at(-1)
      assert.equal(kept?.reason, 'ownerGone')
      const { isActive, deactivationReason } = (await tenant.admin.get(`${path}/${id}`)).body
      assert.deepEqual([isActive, deactivationReason], [false, 'ownerGone'])
      const events = ['customer.created']
      assert.equal((await changeSubscription(tenant.admin, id, { events })).status, 200)
      await getsSoon(tenant, receiver, ['customer.created'])
      const recovery = await tenant.admin.post(`${path}/${id}/recover`, { since: '2020-01-01T00:00:00Z' })
      assert.ok(recovery.body.deliveries > 0, recovery.text)
      await scene.look()
      assert.deepEqual(await deliveries(tenant.admin, `&subscriptionId=${id}&status=KEPT`), [])
    }
  })

  it('is asked without a query, until something changes', async () => {
    const tenant = await scene.service.newTenant()
    const role = await newRole(tenant, ['webhook:read', 'webhook:write', 'customer:read'])
    const clerk = await newMember(tenant, [role])
    const receiver = await scene.receiver()
    await register(clerk.client, { url: receiver.url, events: ['customer.created'] })
    const { owners } = (await scene.service.service.operator()).shared
    const owned = { tenantId: tenant.id, owner: `user:${clerk.id}` }
    const isCached = () => owners.peek(owned) !== undefined
    assert.equal(isCached(), false)
    await getsSoon(tenant, receiver, ['customer.created'])
    const rights = owners.peek(owned)
    await getsSoon(tenant, receiver, ['customer.created'])
    assert.equal(owners.peek(owned), rights)
    await tenant.admin.put(`/api/users/${clerk.id}`, { firstName: 'Grace' })
    await eventually('the change', soonMs, async () => !isCached())
    assert.equal(owners.peek({ ...owned, tenantId: 'other' }), undefined)
    assert.deepEqual(await owners.load([{ ...owned, tenantId: 'other' }]), [null])
  })

  it('is asked again for deliveries that wait', async () => {
    const tenant = await scene.service.newTenant()
    const role = await newRole(tenant, ['webhook:read', 'webhook:write', 'employee:read'])
    const clerk = await newMember(tenant, [role])
    const receiver = await scene.receiver()
    const { id } = await register(clerk.client, { url: receiver.url, events: ['employee.created'] })
    await getsSoon(tenant, receiver, ['employee.created'])
    await changeSubscription(clerk.client, id, { isActive: false })
    await hire(tenant)
    await scene.look()
    receiver.requests.length = 0
    const change = { permissions: ['webhook:read', 'webhook:write'] }
    assert.equal((await tenant.admin.put(`/api/roles/${role}`, change)).status, 200)
    await eventually('the loss of the right', soonMs, async () => {
      const { body } = await clerk.client.get('/api/auth/me')
      return !body.permissions.includes('employee:read')
    })
    assert.equal((await changeSubscription(clerk.client, id, { isActive: true })).status, 200)
    await scene.look()
    assert.deepEqual(typesAt(receiver), [])
    const [last] = (await deliveries(tenant.admin, `&subscriptionId=${id}`)).slice(-1)
    assert.deepEqual([last?.status, last?.reason], ['KEPT', 'forbidden'])
    assert.deepEqual(await deliveries(clerk.client), [])
    assert.deepEqual(await sentTo(clerk.client), [])
    const one = `{ webhookDelivery(id: "${last?.id}") { id } }`
    assert.equal((await clerk.client.post('/graphql', { query: one })).body.data.webhookDelivery, null)
  })

  it('sees and changes it alone, beside administrators', async () => {
    const tenant = await scene.service.newTenant()
    const { admin, user } = tenant
    const other = await newMember(tenant, ['User'])
    const key = await newKey(tenant, ['webhook:read', 'webhook:write', 'order:read'])
    const receiver = await scene.receiver()
    const mine = await register(user, { url: receiver.url, events: ['product.created'] })
    const theirs = await register(admin, { events: ['order.*'] })
    await newProduct(user)
    await scene.look()
    const [sent] = await deliveries(user)
    assert.equal(sent?.subscriptionId, mine.id)
    assert.deepEqual([await sentTo(user), await sentTo(admin)], [[mine.id], [mine.id]])
    assert.deepEqual([await sentTo(other.client), await sentTo(key.client)], [[], []])
    const idsFor = async (client: Client) => (await client.get(path)).body.map(({ id }: { id: string }) => id)
    assert.deepEqual(await idsFor(user), [mine.id])
    assert.deepEqual(await idsFor(other.client), [])
    assert.deepEqual(await idsFor(key.client), [])
    assert.deepEqual(await idsFor(admin), [mine.id, theirs.id])
    for (const client of [other.client, key.client]) {
      const absent = 'There is no such subscription.'
      for (const id of [mine.id, theirs.id]) {
        const attempts = [
          await client.get(`${path}/${id}`),
          await changeSubscription(client, id, { url: 'https://example.com/mine' }),
          await client.post(`${path}/${id}/rotate-secret`),
          await client.post(`${path}/${id}/test`),
          await client.get(`${path}/${id}/deliveries`),
          await client.get(`${path}/${id}/health`),
          await client.post(`${path}/${id}/recover`, { since: '2026-01-01T00:00:00Z' }),
          await client.delete(`${path}/${id}`),
        ]
        for (const answer of attempts) assertError(answer, 404, absent)
      }
      assert.deepEqual(await deliveries(client), [])
      const noDelivery = 'There is no such delivery.'
      assertError(await client.get(`/api/webhooks/deliveries/${sent?.id}`), 404, noDelivery)
      assertError(await client.post(`/api/webhooks/deliveries/${sent?.id}/replay`), 404, noDelivery)
    }
    assert.equal((await changeSubscription(user, mine.id, { isActive: false })).status, 200)
    assert.equal((await user.delete(`${path}/${mine.id}`)).status, 204)
  })
})

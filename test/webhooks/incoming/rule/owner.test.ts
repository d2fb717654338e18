/** A rule runs with the rights that its owner has at present, and is seen by its owner alone. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { action, type Feature } from '../../../../src/index.ts'
import type { Client } from '../../../support/client.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { assertError } from '../../../support/error.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { newProduct, orderOf } from '../../../support/orders.ts'
import {
  person,
  startService,
  type TestService,
  type TestTenant,
  uniqueName,
} from '../../../support/service.ts'
import { addRule, receipt, received, setProvider } from '../../../support/webhooks/provider.ts'

const path = '/api/webhooks/rules'
const hooks = ['incomingWebhook:read', 'incomingWebhook:write']

/** An action that says nothing about who may run it. */
const closing: Feature = {
  name: 'closing',
  actions: { 'year.close': action({ run: async () => undefined }) },
}

interface Member {
  id: string
  client: Client
  role: string
}

onEitherDatabase('The owner of a rule', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database, {}, { features: [closing] })
  })
  after(() => service.stop())

  it('finds the actions of the service and of the application, and what each needs', async () => {
    const { admin } = await service.newTenant()
    const { body } = await admin.get('/api/webhooks/actions')
    assert.deepEqual(body, [
      { name: 'log', access: 'user' },
      { name: 'order.pay', access: 'order:write' },
      { name: 'publish', access: 'event:publish' },
      { name: 'year.close', access: 'admin' },
    ])
  })

  const newTenant = async (members: object = {}): Promise<TestTenant> => {
    const tenant = await service.newTenant({ ...members })
    await setProvider(tenant.admin)
    return tenant
  }
  const newMember = async ({ admin, id: tenantId }: TestTenant, permissions: string[]): Promise<Member> => {
    const [role, userName] = [uniqueName('Role'), uniqueName('member')]
    assert.equal((await admin.post('/api/roles', { name: role, permissions })).status, 201)
    const made = await admin.post('/api/users', person(userName, { roles: [role] }))
    assert.equal(made.status, 201, made.text)
    return { id: made.body.id, client: (await service.signIn(userName, tenantId)).client, role }
  }
  const newOrder = async ({ user }: TestTenant): Promise<string> =>
    (await user.post('/api/orders', orderOf([[await newProduct(user), 1]]))).body.id
  let count = 0
  /** @returns the receipt of a payment, as an administrator sees it, and the state of the order */
  const pay = async (tenant: TestTenant) => {
    const orderId = await newOrder(tenant)
    const body = { id: `evt_${count++}`, type: 'payment.done', data: { orderId } }
    const { status, runs } = await receipt(tenant.admin, await received(service, tenant, body))
    const order = await tenant.admin.get(`/api/orders/${orderId}`)
    return { status, error: runs[0]?.error, order: order.body.status }
  }
  const paysSoon = (tenant: TestTenant, status: string, error: RegExp | null) =>
    eventually(`${status}`, soonMs, async () => {
      const paid = await pay(tenant)
      if (paid.status !== status) return false
      assert.equal(paid.order, status === 'SUCCEEDED' ? 'PAID' : 'PENDING')
      if (error === null) assert.equal(paid.error, null)
      else assert.match(paid.error, error)
      return true
    })

  it('may name only actions that the owner may run, at first or later', async () => {
    const tenant = await newTenant()
    const { client } = await newMember(tenant, hooks)
    const cases = [
      ['order.pay', 'Running the action order.pay requires the permission order:write.'],
      ['publish', 'Running the action publish requires the permission event:publish.'],
      ['year.close', 'Only an administrator may run the action year.close.'],
    ] as const
    const id = await addRule(client, 'log')
    for (const [name, text] of cases) {
      assertError(await client.post(path, { provider: 'stripe', eventType: '*', action: name }), 403, text)
      assertError(await client.patch(`${path}/${id}`, { action: name }), 403, text)
    }
    await addRule(client, 'no.such')
    await addRule(tenant.user, 'order.pay')
    assertError(await tenant.user.patch(`${path}/${id}`, { isActive: false }), 404, 'There is no such rule.')
    await addRule(tenant.admin, 'year.close')
  })

  const kinds = {
    'in the shared database': () => ({}),
    'in a database of its own': () => ({ connectionString: `sqlite:${uniqueName('own')}.db` }),
  }
  for (const [kind, members] of Object.entries(kinds)) {
    it(`has to have the right at each run, for a tenant ${kind}`, async () => {
      const tenant = await newTenant(members())
      const { client, role } = await newMember(tenant, [...hooks, 'order:write'])
      await addRule(client, 'order.pay')
      await paysSoon(tenant, 'SUCCEEDED', null)
      const grant = (permissions: string[]) => tenant.admin.put(`/api/roles/${role}`, { permissions })
      assert.equal((await grant(hooks)).status, 200)
      await paysSoon(tenant, 'FORBIDDEN', /does not have the permission order:write/)
      assert.equal((await grant([...hooks, 'order:write'])).status, 200)
      await paysSoon(tenant, 'SUCCEEDED', null)
    })
  }

  it('runs nothing once the owner was deactivated, deleted or revoked, until somebody takes the rule over', async () => {
    const isGone = /owner of the rule was deleted, deactivated or revoked/
    const ends = {
      deactivated: ({ admin }: TestTenant, id: string) => admin.put(`/api/users/${id}`, { isActive: false }),
      deleted: ({ admin }: TestTenant, id: string) => admin.delete(`/api/users/${id}`),
    }
    for (const end of Object.values(ends)) {
      const tenant = await newTenant()
      const { id, client } = await newMember(tenant, [...hooks, 'order:write'])
      const rule = await addRule(client, 'order.pay')
      await paysSoon(tenant, 'SUCCEEDED', null)
      assert.ok((await end(tenant, id)).status < 300)
      await paysSoon(tenant, 'FORBIDDEN', isGone)
      assert.equal((await tenant.admin.patch(`${path}/${rule}`, { action: 'order.pay' })).status, 200)
      await paysSoon(tenant, 'SUCCEEDED', null)
    }
    const tenant = await newTenant()
    const key = await tenant.admin.post('/api/api-keys', {
      name: 'Shop',
      permissions: [...hooks, 'order:write'],
    })
    await addRule(service.anonymous.withToken(key.body.key), 'order.pay')
    await paysSoon(tenant, 'SUCCEEDED', null)
    assert.equal((await tenant.admin.delete(`/api/api-keys/${key.body.id}`)).status, 204)
    await paysSoon(tenant, 'FORBIDDEN', isGone)
  })

  it('sees, tries, changes and replays it alone, beside administrators', async () => {
    const tenant = await newTenant()
    const { client } = await newMember(tenant, [...hooks, 'order:write'])
    const mine = await addRule(client, 'log')
    const theirs = await addRule(tenant.admin, 'log')
    const idsFor = async (caller: Client) => (await caller.get(path)).body.map(({ id }: { id: string }) => id)
    assert.deepEqual(await idsFor(client), [mine])
    assert.deepEqual(await idsFor(tenant.user), [])
    assert.deepEqual(await idsFor(tenant.admin), [mine, theirs])
    const attempts = [
      await client.patch(`${path}/${theirs}`, { isActive: false }),
      await client.post(`${path}/${theirs}/dry-run`, { body: {} }),
      await client.delete(`${path}/${theirs}`),
    ]
    for (const answer of attempts) assertError(answer, 404, 'There is no such rule.')
    const receiptId = await received(service, tenant, { id: 'evt_own', type: 'thing' })
    const ruleIds = async (caller: Client) =>
      (await receipt(caller, receiptId)).runs.map(({ ruleId }: { ruleId: string }) => ruleId)
    assert.deepEqual(await ruleIds(client), [mine])
    assert.deepEqual(await ruleIds(tenant.admin), [mine, theirs])
    assert.equal((await client.post(`/api/webhooks/receipts/${receiptId}/replay`, { all: true })).status, 200)
    assert.deepEqual(await ruleIds(tenant.admin), [mine, theirs, mine])
    const owners = (await tenant.admin.get(path)).body.map(({ owner }: { owner: object }) => owner)
    const me = async (caller: Client) => ({ kind: 'user', id: (await caller.get('/api/auth/me')).body.id })
    assert.deepEqual(owners, [await me(client), await me(tenant.admin)])
    assert.equal((await client.delete(`${path}/${mine}`)).status, 204)
  })

  it('shows of a foreign order in a dry run only what the caller may see', async () => {
    const tenant = await newTenant()
    const orderId = await newOrder(tenant)
    const body = { type: 'payment.done', data: { orderId } }
    const { client, role } = await newMember(tenant, [...hooks, 'order:write'])
    const rule = await addRule(client, 'order.pay')
    const tried = await client.post(`${path}/${rule}/dry-run`, { body })
    assert.deepEqual([tried.body.outcome, tried.body.events], ['SUCCEEDED', []])
    await tenant.admin.put(`/api/roles/${role}`, { permissions: ['incomingWebhook:write', 'order:write'] })
    const receiptId = await received(service, tenant, { id: 'evt_try', ...body })
    await eventually('the loss of the right', soonMs, async () => {
      const answer = await client.post(`${path}/${rule}/dry-run`, { receiptId })
      return answer.body.message === 'This requires the permission incomingWebhook:read.'
    })
    await tenant.admin.put(`/api/roles/${role}`, { permissions: hooks })
    await eventually('the loss of the right', soonMs, async () => {
      const answer = await client.post(`${path}/${rule}/dry-run`, { body })
      return answer.body.message === 'Running the action order.pay requires the permission order:write.'
    })
    const { body: seen } = await tenant.admin.post(`${path}/${rule}/dry-run`, { body })
    assert.equal(seen.outcome, 'FORBIDDEN')
  })

  it('cannot be a user who sets the secret of a provider', async () => {
    const tenant = await newTenant()
    const providers = '/api/webhooks/providers'
    const requires = (verb: string) => `This requires the permission webhookProvider:${verb}.`
    const { client } = await newMember(tenant, hooks)
    for (const caller of [tenant.user, client]) {
      assertError(await caller.get(providers), 403, requires('read'))
      assertError(await caller.put(`${providers}/mine`, { secret: 'own' }), 403, requires('write'))
      assertError(await caller.delete(`${providers}/stripe`), 403, requires('write'))
    }
    const { client: keeper } = await newMember(tenant, ['webhookProvider:read', 'webhookProvider:write'])
    assert.equal((await keeper.put(`${providers}/mine`, { secret: 'own' })).status, 200)
  })
})

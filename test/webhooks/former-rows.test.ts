/** What was made before subscriptions and rules had owners, and before providers had permissions of their own. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Migration } from '../../src/database/migration.ts'
import { apiKeyMigrations } from '../../src/identity/api-key/migration.ts'
import { roleMigrations } from '../../src/identity/role/migration.ts'
import type { Client } from '../support/client.ts'
import { onEachDatabase } from '../support/databases.ts'
import { newProduct, orderOf } from '../support/orders.ts'
import { person, uniqueName } from '../support/service.ts'
import { type Scene, setScene } from '../support/webhooks/delivery-scene.ts'
import { addRule, receipt, received, setProvider } from '../support/webhooks/provider.ts'
import { changeSubscription, path, register } from './subscriptions/registration.ts'

onEachDatabase('What was made by an earlier version', (database) => {
  let scene: Scene
  before(async () => {
    scene = await setScene(database)
  })
  after(() => scene[Symbol.asyncDispose]())

  const run = async (statement: string) => {
    const { shared } = await scene.service.service.operator()
    await shared.catalogueDatabase.transaction((transaction) => transaction.run(statement, [], false))
  }
  const idsFor = async (client: Client, address: string) =>
    (await client.get(address)).body.map(({ id }: { id: string }) => id)

  it('belongs to the administrators: a subscription gets what whoever made it could see', async () => {
    const { id: tenantId, admin, user } = await scene.service.newTenant()
    const [plain, trusted] = [await scene.receiver(), await scene.receiver()]
    const { id } = await register(user, { url: plain.url, events: ['*'] })
    const { id: other } = await register(admin, { url: trusted.url, events: ['*'] })
    await run(`UPDATE subscription SET owner = NULL WHERE tenant_id = '${tenantId}'`)
    await scene.look()
    for (const { requests } of [plain, trusted]) requests.length = 0
    await newProduct(user)
    assert.equal((await admin.post('/api/roles', { name: 'Clerk', permissions: [] })).status, 201)
    await scene.look()
    const typesAt = ({ requests }: typeof plain) => requests.map(({ body }) => JSON.parse(body).type)
    assert.deepEqual(typesAt(plain), ['product.created'])
    assert.deepEqual(typesAt(trusted).toSorted(), ['product.created', 'role.created'])
    assert.deepEqual(await idsFor(user, path), [])
    assert.deepEqual(await idsFor(admin, path), [id, other])
    const taken = await changeSubscription(admin, id, { events: ['role.*'] })
    assert.equal(taken.body.owner.kind, 'user')
  })

  it('belongs to the administrators: a rule runs with their rights', async () => {
    const tenant = await scene.service.newTenant()
    const { id: tenantId, admin, user } = tenant
    await setProvider(admin)
    const rule = await addRule(user, 'order.pay')
    await run(`UPDATE webhook_rule SET owner = NULL WHERE tenant_id = '${tenantId}'`)
    const order = await user.post('/api/orders', orderOf([[await newProduct(user), 1]]))
    const sent = await received(scene.service, tenant, { type: 'paid', data: { orderId: order.body.id } })
    assert.equal((await receipt(admin, sent)).status, 'SUCCEEDED')
    const rules = '/api/webhooks/rules'
    assert.deepEqual(await idsFor(user, rules), [])
    assert.deepEqual(await idsFor(admin, rules), [rule])
    assert.equal((await admin.get(rules)).body[0].owner, null)
  })

  it('keeps the providers, where a tenant has granted them to a role or a key', async () => {
    const { id: tenantId, admin } = await scene.service.newTenant()
    const [userName, role] = [uniqueName('clerk'), uniqueName('Role')]
    const permissions = ['incomingWebhook:read', 'order:read']
    await admin.post('/api/roles', { name: role, permissions })
    await admin.post('/api/roles', { name: 'Reader', permissions: ['order:read'] })
    await admin.post('/api/users', person(userName, { roles: [role] }))
    const key = await admin.post('/api/api-keys', { name: 'Shop', permissions: ['incomingWebhook:write'] })
    const types = {} as Parameters<Migration['statements']>[0] // they make no columns
    const granting = [...roleMigrations, ...apiKeyMigrations].filter(({ name }) => name.endsWith('-0002'))
    assert.equal(granting.length, 2)
    for (const { statements } of granting)
      for (const statement of statements(types, database)) await run(statement)
    const { client } = await scene.service.signIn(userName, tenantId)
    const granted = async (name: string) => (await admin.get(`/api/roles/${name}`)).body.permissions
    assert.deepEqual(await granted(role), ['incomingWebhook:read', 'order:read', 'webhookProvider:read'])
    assert.deepEqual(await granted('Reader'), ['order:read'])
    assert.equal((await admin.put(`/api/roles/${role}`, { description: 'Read again' })).status, 200)
    assert.equal((await client.get('/api/webhooks/providers')).status, 200)
    const byKey = scene.service.anonymous.withToken(key.body.key)
    assert.equal((await byKey.put('/api/webhooks/providers/mine', { secret: 'own' })).status, 200)
    assert.equal((await byKey.get('/api/webhooks/providers')).status, 403)
  })
})

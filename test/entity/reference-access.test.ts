/** What a reference names is read with the right to read its entity, or with the row where the definition shows it. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { entity, integer, many, reference, text, user } from '../../src/index.ts'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { person, startService, type TestService, type TestTenant } from '../support/service.ts'
import { migrated } from './migrated.ts'

const region = entity('region', { fields: { name: text() }, access: { read: 'admin' } })
const supplier = entity('supplier', {
  fields: { name: text(), secret: text().optional(), region: reference(region).optional() },
  access: { read: 'admin', fields: { secret: { read: 'supplier:secret' } } },
})
const label = entity('label', { fields: { name: text() }, access: { list: 'admin', get: 'user' } })
const client = entity('client', {
  fields: { name: text(), owner: user().optional() },
  access: { read: 'admin', rows: ({ row, actor }) => row.owner.is(actor.id) },
})
const part = entity('part', {
  fields: {
    name: text(),
    weight: integer().default(1),
    supplier: reference(supplier).optional(),
    maker: reference(supplier).shown().optional(),
    label: reference(label).optional(),
    client: reference(client).shown().optional(),
    lines: many({ supplier: reference(supplier), maker: reference(supplier).shown() }).optional(),
  },
  access: { list: 'public' },
})

onEitherDatabase('The access of a reference', (database) => {
  let service: TestService
  let tenant: TestTenant
  let caller: Client
  const ids: Record<string, string> = {}

  before(async () => {
    const features = migrated([region, supplier, label, client, part])
    service = await startService(database, {}, { features })
    tenant = await service.newTenant()
    caller = service.anonymous.with({ 'x-tenant-id': tenant.id })
    const make = async (name: string, path: string, body: object) => {
      const { status, body: made, text: reply } = await tenant.admin.post(path, body)
      assert.equal(status, 201, reply)
      ids[name] = made.id
    }
    await make('ada', '/api/users', person('ada'))
    await make('region', '/api/regions', { name: 'north' })
    await make('supplier', '/api/suppliers', { name: 'acme', secret: 'low', regionId: ids['region'] })
    await make('label', '/api/labels', { name: 'red' })
    await make('client', '/api/clients', { name: 'hers', ownerId: ids['ada'] })
    const [supplierId, makerId] = [ids['supplier'], ids['supplier']]
    await make('part', '/api/parts', {
      name: 'bolt',
      supplierId,
      makerId,
      labelId: ids['label'],
      clientId: ids['client'],
      lines: [{ supplierId, makerId }],
    })
  })
  after(() => service.stop())

  const ask = async (who: Client, query: string) => (await who.post('/graphql', { query })).body
  const refusal = async (who: Client, query: string) => {
    const { errors } = await ask(who, query)
    return [errors?.[0].extensions.code, errors?.[0].message]
  }
  const needed = (name: string, permission: string) => [
    'AUTH_NOT_AUTHORIZED',
    `${name}: reading it requires the permission ${permission}.`,
  ]
  const ofSupplier = needed('supplier', 'supplier:read')

  it('refuses to select a row of an entity that the caller does not read', async () => {
    for (const query of [
      '{ parts { nodes { supplier { name } } } }',
      `{ part(id: "${ids['part']}") { supplier { id } } }`,
      '{ parts { nodes { lines { supplier { name } } } } }',
    ])
      assert.deepEqual(await refusal(tenant.user, query), ofSupplier, query)
    assert.deepEqual(await refusal(caller, '{ parts { nodes { supplier { name } } } }'), ofSupplier)
    const { data } = await ask(tenant.admin, '{ parts { nodes { supplier { name region { name } } } } }')
    assert.deepEqual(data.parts.nodes, [{ supplier: { name: 'acme', region: { name: 'north' } } }])
  })

  it('refuses filters, sorts and groups by it', async () => {
    for (const query of [
      '{ parts(where: { supplier: { name: { startsWith: "a" } } }) { nodes { id } } }',
      '{ parts(where: { or: [{ name: { eq: "x" } }, { supplier: { name: { eq: "a" } } }] }) { totalCount } }',
      '{ parts(where: { lines: { some: { supplier: { name: { eq: "a" } } } } }) { nodes { id } } }',
      '{ parts(order: { supplier: { name: ASC } }) { nodes { id } } }',
      '{ partsAggregate(where: { supplier: { name: { eq: "a" } } }, groupBy: []) { count } }',
    ])
      assert.deepEqual(await refusal(tenant.user, query), ofSupplier, query)
    for (const query of ['sort=supplier.name', 'sort=-supplier.createdAt&limit=1']) {
      const { status, body } = await tenant.user.get(`/api/parts?${query}`)
      assert.deepEqual([status, body.message], [403, ofSupplier[1]])
      assert.equal((await tenant.admin.get(`/api/parts?${query}`)).status, 200)
    }
  })

  it('refuses a mutation before it changes anything', async () => {
    const query = `mutation { updatePart(id: "${ids['part']}", input: { name: "changed" }) { supplier { name } } }`
    assert.deepEqual(await refusal(tenant.user, query), ofSupplier)
    assert.equal((await tenant.user.get(`/api/parts/${ids['part']}`)).body.name, 'bolt')
  })

  it('is the row itself where the definition shows it', async () => {
    const query = '{ parts(where: { maker: { name: { eq: "acme" } } }) { nodes { maker { name } } } }'
    assert.deepEqual((await ask(caller, query)).data.parts.nodes, [{ maker: { name: 'acme' } }])
    const inLines = '{ parts { nodes { lines { maker { name } } } } }'
    assert.deepEqual((await ask(caller, inLines)).data.parts.nodes, [
      { lines: [{ maker: { name: 'acme' } }] },
    ])
    assert.equal((await caller.get('/api/parts?sort=maker.name')).status, 200)
  })

  it('shows neither a hidden member nor a reference of what it shows', async () => {
    const secret = needed('secret', 'supplier:secret')
    assert.deepEqual(await refusal(caller, '{ parts { nodes { maker { secret } } } }'), secret)
    const further = needed('region', 'region:read')
    assert.deepEqual(await refusal(caller, '{ parts { nodes { maker { region { name } } } } }'), further)
  })

  it('shows a row in the reach of the caller alone', async () => {
    const { client: ada } = await service.signIn('ada', tenant.id)
    const query =
      '{ parts(where: { client: { name: { eq: "hers" } } }) { nodes { id } } all: parts { nodes { clientId client { name } } } }'
    const of = async (who: Client) => {
      const { data } = await ask(who, query)
      return [data.parts.nodes.length, data.all.nodes[0].client?.name ?? null, data.all.nodes[0].clientId]
    }
    assert.deepEqual(await of(ada), [1, 'hers', ids['client']])
    assert.deepEqual(await of(tenant.user), [0, null, ids['client']])
    assert.deepEqual(await of(caller), [0, null, ids['client']])
  })

  it('takes the right to list or that to get', async () => {
    const query = '{ parts { nodes { label { name } } } }'
    assert.equal((await ask(tenant.user, query)).data.parts.nodes[0].label.name, 'red')
    assert.deepEqual(await refusal(caller, query), needed('label', 'label:read or label:list'))
  })

  it('is asked of a subscription', async () => {
    const { status, text: reply } = await tenant.user.post(
      '/graphql',
      { query: 'subscription { onPartCreated { supplier { name } } }' },
      { accept: 'text/event-stream' },
    )
    assert.equal(status, 200)
    assert.match(reply, /supplier: reading it requires the permission supplier:read/)
  })

  it('lets a product show its category to everybody', async () => {
    const { body: category } = await tenant.admin.post('/api/categories', { name: 'Desks' })
    await tenant.admin.post('/api/products', { name: 'Oak', price: 1, categoryId: category.id })
    const query = '{ products(where: { category: { name: { eq: "Desks" } } }) { category { name } } }'
    assert.deepEqual(await ask(caller, query), { data: { products: [{ category: { name: 'Desks' } }] } })
  })
})

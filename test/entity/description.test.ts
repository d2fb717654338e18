/** `GET /api/entities`: what a program needs that does not know the entities in advance. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Type } from 'typebox'
import { customer } from '../../examples/invoice/customer.ts'
import { invoiceDocument } from '../../examples/invoice/document.ts'
import { invoice } from '../../examples/invoice/invoice.ts'
import type { EntityDescription } from '../../src/core/feature/entity-description.ts'
import { boolean, date, entity, json, money, oneOf, reference, text, timestamp } from '../../src/index.ts'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { password, person, startService, type TestService, type TestTenant } from '../support/service.ts'
import { migrated } from './migrated.ts'

const task = entity('task', {
  fields: {
    topic: text({ max: 50 }),
    due: date().optional(),
    seenAt: timestamp().optional(),
    extra: json(Type.Object({ source: Type.String({ maxLength: 20 }) })).optional(),
    urgency: oneOf('low', 'high').default('low'),
  },
})

const article = entity('article', {
  description: 'What a tenant sells.',
  fields: {
    name: text(),
    note: text({ min: 0, max: 2000 }).optional(),
    price: money(),
    isActive: boolean().default(true),
    maker: reference(customer).optional(),
  },
  sort: ['createdAt', 'price', 'name'],
  search: ['name'],
  access: { list: 'public' },
})

onEitherDatabase('The description of entities', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    const features = migrated([customer, invoice, invoiceDocument, task, article])
    service = await startService(database, {}, { features })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const describedTo = async (client: Client): Promise<Map<string, EntityDescription>> => {
    const { status, text: reply, body } = await client.get('/api/entities')
    assert.equal(status, 200, reply)
    return new Map(body.map((each: EntityDescription) => [each.name, each]))
  }
  const oneOfThem = async (name: string): Promise<EntityDescription> => {
    const found = (await describedTo(tenant.admin)).get(name)
    assert.ok(found, name)
    return found
  }
  /** A user with these permissions and no others. */
  const userWith = async (...permissions: string[]): Promise<Client> => {
    const name = `role${permissions.length}${permissions[0]?.length}`
    assert.equal((await tenant.admin.post('/api/roles', { name, permissions })).status, 201)
    const user = await tenant.admin.post('/api/users', person(name, { roles: [name] }))
    assert.equal(user.status, 201, user.text)
    return (await service.signIn(name, tenant.id, password)).client
  }

  it('is of every entity, the built-in ones and those of an application', async () => {
    const names = [...(await describedTo(service.host)).keys()].toSorted()
    const declared = service.service.features.filter(({ describe }) => describe !== undefined)
    assert.deepEqual(names, declared.map(({ name }) => name).toSorted())
    for (const name of ['category', 'customer', 'invoice', 'invoiceDocument', 'order', 'product', 'task'])
      assert.ok(names.includes(name), name)
    assert.equal((await service.anonymous.get('/api/entities')).status, 401)
  })

  it('names routes that are there, and that answer', async () => {
    const declared = new Set(
      service.service.features.flatMap(({ routes = [] }) =>
        routes.map(({ method, path }) => `${method} ${path}`),
      ),
    )
    for (const { name, operations, actions } of (await describedTo(tenant.admin)).values()) {
      for (const { method, path } of [...Object.values(operations), ...actions])
        assert.ok(declared.has(`${method} ${path}`), `${name}: ${method} ${path}`)
      const list = await tenant.admin.get(`${operations.list?.path}?limit=1&count=true`)
      assert.equal(list.status, 200, list.text)
      assert.notEqual(list.headers.get('x-total-count'), null, name)
    }
  })

  it('has the fields of an entity, with a reference as a relation', async () => {
    const { fields, title, isSearched, sortedBy, subscriptions, ...rest } = await oneOfThem('article')
    assert.deepEqual(
      fields.map(({ name, kind, isRequired, isReadOnly, isNullable }) => [
        name,
        kind,
        isRequired,
        isReadOnly,
        isNullable,
      ]),
      [
        ['name', 'text', true, false, false],
        ['note', 'text', false, false, true],
        ['price', 'money', true, false, false],
        ['isActive', 'boolean', false, false, false],
        ['makerId', 'reference', false, false, true],
      ],
    )
    const [, , , isActive, makerId] = fields
    assert.deepEqual([isActive?.defaultValue, makerId?.defaultValue], [true, null])
    assert.deepEqual([makerId?.relation, makerId?.entity], ['maker', 'customer'])
    assert.deepEqual([title, isSearched, sortedBy], ['name', true, ['createdAt', 'price', 'name']])
    assert.deepEqual(subscriptions, ['onArticleCreated', 'onArticleUpdated'])
    assert.deepEqual(
      [rest.plural, rest.label, rest.labels, rest.description],
      ['articles', 'article', 'articles', 'What a tenant sells.'],
    )
  })

  it('has what an application has declared: lines, computed values, actions, files', async () => {
    const { fields, actions, title } = await oneOfThem('invoice')
    const byName = new Map(fields.map((field) => [field.name, field]))
    assert.equal(title, 'number')
    assert.deepEqual(
      ['number', 'total', 'status', 'note', 'customerId'].map((name) => byName.get(name)?.isReadOnly),
      [true, true, true, false, false],
    )
    const lines = byName.get('lines')
    assert.deepEqual(
      [lines?.kind, lines?.isRequired, lines?.fields.map(({ name, kind }) => `${name} ${kind}`)],
      ['many', true, ['text text', 'quantity integer', 'price money']],
    )
    assert.deepEqual(
      actions.map(({ name, method, path, access, from, to, input }) => ({
        name,
        method,
        path,
        access,
        from,
        to,
        input,
      })),
      [
        ['send', 'invoice:write', { status: ['draft'] }, 'sent'] as const,
        ['pay', 'invoice:write', { status: ['sent'] }, 'paid'] as const,
        ['void', actions[2]?.access, {}, 'void'] as const,
      ].map(([name, access, from, status]) => ({
        name,
        access,
        from,
        to: { status },
        input: null,
        method: 'POST',
        path: `/api/invoices/:id/${name}`,
      })),
    )
    const [, pdf] = (await oneOfThem('invoiceDocument')).fields
    assert.deepEqual(
      [pdf?.kind, pdf?.entity, pdf?.relation, pdf?.fileTypes],
      ['reference', 'file', 'pdf', ['application/pdf']],
    )
  })

  it('has a JSON Schema of each value', async () => {
    const { fields, title } = await oneOfThem('task')
    assert.equal(title, 'topic')
    assert.deepEqual(
      fields.map(({ name, kind }) => `${name} ${kind}`),
      ['topic text', 'due date', 'seenAt timestamp', 'extra json', 'urgency enum'],
    )
    const schemas = Object.fromEntries(
      fields.map(({ name, schema }) => [name, schema as Record<string, unknown>]),
    )
    assert.equal(schemas['topic']?.['maxLength'], 50)
    assert.equal(fields.at(-1)?.defaultValue, 'low')
    assert.deepEqual(schemas['urgency']?.['enum'], ['low', 'high'])
    const { body } = await service.anonymous.get('/swagger/v1/swagger.json')
    assert.ok('EntityDescription' in body.components.schemas)
  })

  it('has the orders, whose routes are written by hand', async () => {
    const { operations, actions, fields, title } = await oneOfThem('order')
    assert.deepEqual(Object.keys(operations), ['list', 'get', 'create', 'change'])
    assert.deepEqual(
      actions.map(({ name }) => name),
      ['pay', 'cancel'],
    )
    assert.deepEqual([title, operations.change?.method], ['number', 'PUT'])
    const { id: productId } = (await tenant.admin.post('/api/products', { name: 'Desk', price: 2 })).body
    const { body: order } = await tenant.admin.post('/api/orders', {
      customerId: 'c1',
      items: [{ productId, quantity: 2 }],
    })
    const rowMembers = [...fields.map(({ name }) => name), 'id', 'createdAt', 'updatedAt']
    assert.deepEqual(rowMembers.toSorted(), Object.keys(order).toSorted())
    const items = fields.find(({ name }) => name === 'items')
    assert.deepEqual(items?.fields.map(({ name }) => name).toSorted(), Object.keys(order.items[0]).toSorted())
  })

  it('leaves out what the caller may not do, and entities that the caller may not read', async () => {
    const reader = await describedTo(await userWith('invoice:read'))
    assert.deepEqual(
      [...reader.keys()].toSorted(),
      ['article', 'invoice', 'product'],
      'the lists of articles and products are public',
    )
    assert.deepEqual(Object.keys(reader.get('invoice')?.operations ?? {}), ['list', 'get'])
    assert.deepEqual(reader.get('invoice')?.actions, [])
    assert.deepEqual(Object.keys(reader.get('article')?.operations ?? {}), ['list'])

    const writer = await describedTo(await userWith('invoice:read', 'invoice:write', 'order:read'))
    assert.deepEqual([...writer.keys()].toSorted(), ['article', 'invoice', 'order', 'product'])
    assert.deepEqual(
      writer
        .get('invoice')
        ?.actions.map(({ name }) => name)
        .slice(0, 2),
      ['send', 'pay'],
    )
    assert.deepEqual(writer.get('order')?.actions, [])
    assert.deepEqual(Object.keys(writer.get('order')?.operations ?? {}), ['list', 'get'])
  })
})

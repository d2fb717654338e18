/** Parts of an entity that are written by hand, beside those that its definition makes. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Type } from 'typebox'
import {
  type Context,
  entity,
  inTransaction,
  integer,
  json,
  mutation,
  prepare,
  route,
  ServiceError,
  type TableOf,
  text,
} from '../../src/index.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { startService, type TestService } from '../support/service.ts'
import { migrated } from './migrated.ts'

const fields = {
  label: text({ max: 40 }),
  stock: integer({ min: 0 }).default(0),
  size: json(
    Type.Object({ width: Type.Integer({ minimum: 1 }), depth: Type.Integer({ minimum: 1 }) }),
  ).optional(),
}

declare module '../../src/index.ts' {
  interface TenantTables {
    crate: TableOf<typeof fields>
  }
}

const byId = prepare((tables, p: { id: string }) =>
  tables.selectFrom('crate').select(['id', 'label', 'stock']).where('id', '=', p.id),
)

const addStock = prepare((tables, p: { id: string; count: number }) =>
  tables
    .updateTable('crate')
    .set((column) => ({ stock: column('stock', '+', p.count) }))
    .where('id', '=', p.id),
)

const Short = Type.Object({ id: Type.String(), label: Type.String(), stock: Type.Integer() })
const Label = Type.Object({ label: Type.String({ maxLength: 40 }) }, { $id: 'CrateLabel' })
const Count = Type.Object({ count: Type.Integer({ minimum: 1 }) })

const plain = entity('crate', {
  fields,
  access: { read: 'crate:read', write: 'crate:write' },
  routes: [
    route({
      method: 'GET',
      path: '/api/crates/:id',
      summary: 'Get a crate in short',
      tag: 'Crates',
      access: 'crate:read',
      status: 200,
      reply: Short,
      errors: ['notFound'],
      handle: (context, { path }) => shortOf(context, path['id'] ?? ''),
    }),
    route({
      method: 'POST',
      path: '/api/crates/:id/deliveries',
      summary: 'Add to the stock of a crate',
      tag: 'Crates',
      access: 'crate:write',
      body: Count,
      status: 200,
      reply: Short,
      errors: ['notFound'],
      handle: (context, { path, body }) => {
        const id = path['id'] ?? ''
        return inTransaction(context, async (inside) => {
          await inside.data.change(addStock, { id, count: body.count })
          return shortOf(inside, id)
        })
      },
    }),
  ],
})

const crate = {
  ...plain,
  graphql: {
    ...plain.graphql,
    mutations: {
      ...plain.graphql.mutations,
      createCrate: mutation({
        entity: plain.model,
        description: 'Creates a crate whose label is in capital letters.',
        args: { input: Label },
        run: async (inside, { input }) =>
          (await plain.create(inside, { label: input.label.toUpperCase() })).id,
      }),
    },
  },
}

async function shortOf({ data }: Context, id: string) {
  const found = await data.first(byId, { id })
  if (found === null) throw new ServiceError('notFound', 'There is no such crate.')
  return found
}

onEitherDatabase('Parts written by hand', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database, {}, { features: migrated([crate]) })
  })
  after(() => service.stop())

  it('replace a route, with a statement of their own, and leave the others', async () => {
    const { admin } = await service.newTenant()
    const made = await admin.post('/api/crates', { label: 'Oak' })
    assert.equal(made.status, 201, made.text)
    const path = `/api/crates/${made.body.id}`
    assert.deepEqual((await admin.get(path)).body, { id: made.body.id, label: 'Oak', stock: 0 })
    assertError(await admin.get('/api/crates/none'), 404)
    assert.equal((await admin.get('/api/crates')).body[0].createdAt, made.body.createdAt)
  })

  it('write with a statement of their own, in their tenant alone', async () => {
    const [{ admin }, { admin: stranger }] = [await service.newTenant(), await service.newTenant()]
    const { id } = (await admin.post('/api/crates', { label: 'Ash', stock: 2 })).body
    const more = await admin.post(`/api/crates/${id}/deliveries`, { count: 3 })
    assert.equal(more.body.stock, 5, more.text)
    assert.equal((await stranger.post(`/api/crates/${id}/deliveries`, { count: 3 })).status, 404)
    assert.equal((await admin.get(`/api/crates/${id}`)).body.stock, 5)
  })

  it('replace a field of GraphQL', async () => {
    const { admin } = await service.newTenant()
    const query = 'mutation { createCrate(input: { label: "elm" }) { label stock } }'
    const made = await admin.post('/graphql', { query })
    assert.deepEqual(made.body, { data: { createCrate: { label: 'ELM', stock: 0 } } })
  })

  it('keep what the definition says of their fields', async () => {
    const { admin } = await service.newTenant()
    const size = { width: 40, depth: 30 }
    const made = await admin.post('/api/crates', { label: 'Fir', size })
    assert.deepEqual(made.body.size, size)
    for (const wrong of [{ width: 0, depth: 30 }, { width: 40 }, 40, [size]]) {
      const refused = await admin.post('/api/crates', { label: 'Fir', size: wrong })
      assertError(refused, 400)
      assert.match(refused.text, /size/)
    }
    const document = await service.anonymous.get('/swagger/v1/swagger.json')
    assert.equal(document.body.paths['/api/crates/{id}'].get.summary, 'Get a crate in short')
  })
})

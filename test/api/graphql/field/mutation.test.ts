/** Mutations are the verbs of REST: the same rules, messages and events, one transaction each. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Type } from 'typebox'
import { product as products } from '../../../../src/catalog/product/product.ts'
import type { Feature } from '../../../../src/core/feature/feature.ts'
import { mutation } from '../../../../src/core/feature/field.ts'
import { readModel } from '../../../../src/database/read/read-model.ts'
import type { Answer } from '../../../support/client.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { eventsOf, newProduct, orderOf } from '../../../support/orders.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

/** Creates a product, and then reads of it what no product has. */
const brokenFeature: Feature = {
  name: 'broken',
  graphql: {
    mutations: {
      createBroken: mutation({
        entity: readModel(
          Type.Object({ id: Type.String({ format: 'uuid' }), nothing: Type.String() }, { $id: 'Broken' }),
          {
            table: 'product',
          },
        ),
        description: 'Fails after the verb.',
        args: {},
        run: async (inside) => (await products.create(inside, { name: 'Broken', price: 1 })).id,
      }),
    },
  },
}

const id = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'
const long = 'a'.repeat(2001)

const badProducts: object[] = [
  { name: '', price: 1 },
  { name: '   ', price: 1 },
  { name: long, price: 1 },
  { name: 'a', price: -1 },
  { name: 'a', price: 1.23456 },
  { name: 'a', price: 1e11 },
  { name: '', price: -1, description: long },
  { name: 'a', price: 1, isActive: null },
  { name: 'a', price: 1, categoryId: id },
]

const product = '{ id name description price isActive categoryId createdAt updatedAt }'
const order =
  '{ id number customerId status currency total items { productId name quantity unitPrice lineTotal } createdAt updatedAt }'
const create = `mutation ($input: CreateProductInput!) { createProduct(input: $input) ${product} }`
const update = `mutation ($id: UUID!, $input: UpdateProductInput!) { updateProduct(id: $id, input: $input) ${product} }`
const place = `mutation ($input: CreateOrderInput!) { createOrder(input: $input) ${order} }`
const change = `mutation ($id: UUID!, $input: UpdateOrderInput!) { updateOrder(id: $id, input: $input) ${order} }`

onEitherDatabase('A mutation', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { features: [brokenFeature] })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const ask = (query: string, variables: object = {}, { user } = tenant) =>
    user.post('/graphql', { query, variables })
  /** The events but those of the making of the tenant. */
  const changesOf = async ({ id: tenantId }: TestTenant) =>
    (await eventsOf(service, tenantId)).filter(({ type }) => !/^(tenant|user)\./.test(type))
  const assertSame = (answer: Answer, rest: Answer) => {
    assert.equal(rest.status, 400, rest.text)
    assert.equal(answer.body.data, null)
    assert.deepEqual(
      answer.body.errors.map(({ message }: { message: string }) => message),
      [rest.body.message],
    )
    assert.equal(answer.body.errors[0].extensions.code, 'BAD_USER_INPUT')
  }

  it('refuses a product as REST does, in the same words', async () => {
    const { id: known } = await newProduct(tenant.user)
    for (const input of badProducts) {
      assertSame(await ask(create, { input }), await tenant.user.post('/api/products', input))
      assertSame(
        await ask(update, { id: known, input }),
        await tenant.user.put(`/api/products/${known}`, input),
      )
    }
  })

  it('refuses text that cannot be stored, wherever it stands', async () => {
    const rest = await tenant.user.post('/api/products', { name: 'a\u0000', price: 1 })
    assertSame(await ask('mutation { createProduct(input: { name: "a\\u0000", price: 1 }) { id } }'), rest)
    const { status, body } = await ask(create, { input: { name: 'a\u0000', price: 1 } })
    assert.deepEqual([status, body.message], [400, `variables.input.${rest.body.message}`])
  })

  it('refuses an order as REST does, in the same words', async () => {
    const known = await newProduct(tenant.user)
    const idle = await newProduct(tenant.user, { isActive: false })
    for (const input of [
      orderOf([]),
      orderOf([[{ id }, 1]]),
      orderOf([[idle, 1]]),
      orderOf([[known, 0]]),
      orderOf([[known, 1]], { customerId: '' }),
      orderOf([[known, 1]], { currency: 'Euro' }),
      orderOf(Array.from({ length: 1001 }, () => [known, 1])),
    ]) {
      assertSame(await ask(place, { input }), await tenant.user.post('/api/orders', input))
    }
    const { body } = await tenant.user.post('/api/orders', orderOf([[known, 1]]))
    await tenant.user.post(`/api/orders/${body.id}/pay`)
    for (const verb of ['pay', 'cancel']) {
      const answer = await ask(`mutation { ${verb}Order(id: "${body.id}") { id } }`)
      assertSame(answer, await tenant.user.post(`/api/orders/${body.id}/${verb}`))
    }
    const input = { customerId: 'later' }
    assertSame(
      await ask(change, { id: body.id, input }),
      await tenant.user.put(`/api/orders/${body.id}`, input),
    )
  })

  it('publishes the events that REST publishes, and answers what REST shows', async () => {
    const [byRest, byGraphQL] = [await service.newTenant(), await service.newTenant()]
    await playByRest(byRest)
    await playByGraphQL(byGraphQL, async (query, variables) => (await ask(query, variables, byGraphQL)).body)
    const [expected, told] = [await changesOf(byRest), await changesOf(byGraphQL)]
    assert.equal(expected.length, 9)
    assert.deepEqual(told.map(withoutIds), expected.map(withoutIds))
  })

  it('leaves nothing when what it answers cannot be read', async () => {
    const broken = `{ products(where: { name: { eq: "Broken" } }) { id } }`
    const events = await eventsOf(service, tenant.id)
    const { body } = await ask('mutation { createBroken { id nothing } }')
    assert.equal(body.errors[0].extensions.code, 'INTERNAL')
    assert.deepEqual((await ask(broken)).body, { data: { products: [] } })
    assert.deepEqual(await eventsOf(service, tenant.id), events)
    const { body: whole } = await ask('mutation { createBroken { id } }')
    assert.deepEqual((await ask(broken)).body.data.products, [whole.data.createBroken])
  })

  it('changes what it is given: null where it may be, and what is left out stays', async () => {
    const category = (await tenant.user.post('/api/categories', { name: `For ${database}` })).body.id
    const members = { name: 'Desk', description: 'Of wood', price: 5, isActive: false, categoryId: category }
    const { id: desk } = await newProduct(tenant.user, members)
    const changed = async (query: string, variables: object) => {
      const { body } = await ask(query, { id: desk, ...variables })
      assert.equal(body.errors, undefined, JSON.stringify(body.errors))
      assert.partialDeepStrictEqual(
        (await tenant.user.get(`/api/products/${desk}`)).body,
        body.data.updateProduct,
      )
      return body.data.updateProduct
    }
    assert.partialDeepStrictEqual(await changed(update, { input: {} }), members)
    assert.partialDeepStrictEqual(await changed(update, { input: { price: 6 } }), { ...members, price: 6 })
    const absent = `mutation ($id: UUID!, $text: String) { updateProduct(id: $id, input: { description: $text }) ${product} }`
    assert.equal((await changed(absent, {})).description, 'Of wood')
    assert.equal((await changed(absent, { text: null })).description, null)
    assert.equal((await changed(update, { input: { categoryId: null } })).categoryId, null)
    for (const name of ['name', 'price', 'isActive']) {
      const { body } = await ask(update, { id: desk, input: { [name]: null } })
      assert.match(body.errors[0].message, new RegExp(`^${name}: `))
    }
    assert.partialDeepStrictEqual(await changed(update, { input: { name: 'Table' } }), {
      name: 'Table',
      description: null,
      price: 6,
      isActive: false,
      categoryId: null,
    })
  })

  it('stops at the first that fails, and what came before stays', async () => {
    const names = ['stays', 'fails', 'is not begun']
    const fields = names.map(
      (name, index) =>
        `${'abc'[index]}: createProduct(input: { name: "${name}", price: ${1 - 2 * (index % 2)} }) { id }`,
    )
    const { body } = await ask(`mutation { ${fields.join()} }`)
    assert.equal(body.data, null)
    assert.deepEqual(
      body.errors.map(({ path }: { path: string[] }) => path),
      [['b']],
    )
    const found = await ask(
      'query ($names: [String]) { products(where: { name: { in: $names } }) { name } }',
      { names },
    )
    assert.deepEqual(found.body.data.products, [{ name: 'stays' }])
  })

  it('runs one after the other, each on what those before it left', async () => {
    const { id: desk } = await newProduct(tenant.user, { name: 'one' })
    const query = `mutation {
      a: updateProduct(id: "${desk}", input: { name: "two" }) { name }
      b: updateProduct(id: "${desk}", input: { price: 2 }) { name price }
      c: deleteProduct(id: "${desk}") { name price category { id } }
    }`
    const two = { name: 'two', price: 2 }
    assert.deepEqual((await ask(query)).body.data, {
      a: { name: 'two' },
      b: two,
      c: { ...two, category: null },
    })
    assert.equal((await tenant.user.get(`/api/products/${desk}`)).status, 404)
  })
})

async function playByRest({ user }: TestTenant): Promise<void> {
  const desk = await newProduct(user)
  await user.put(`/api/products/${desk.id}`, { name: 'Table', price: 3 })
  const ids: string[] = []
  for (let count = 0; count < 2; count++)
    ids.push((await user.post('/api/orders', orderOf([[desk, 2]]))).body.id)
  await user.put(`/api/orders/${ids[0]}`, orderOf([[desk, 3]], { currency: 'EUR' }))
  await user.put(`/api/orders/${ids[0]}`, { customerId: 'other' })
  await user.post(`/api/orders/${ids[0]}/pay`)
  await user.post(`/api/orders/${ids[1]}/cancel`)
  await user.delete(`/api/products/${desk.id}`)
}

/** The same. */
async function playByGraphQL(
  { user }: TestTenant,
  ask: (query: string, variables?: object) => Promise<Answer['body']>,
): Promise<void> {
  const desk = (await ask(create, { input: { name: 'Desk', price: 19.99 } })).data.createProduct
  assert.partialDeepStrictEqual((await user.get(`/api/products/${desk.id}`)).body, desk)
  await ask(update, { id: desk.id, input: { name: 'Table', price: 3 } })
  const ids: string[] = []
  for (let count = 0; count < 2; count++)
    ids.push((await ask(place, { input: orderOf([[desk, 2]]) })).data.createOrder.id)
  await ask(change, { id: ids[0], input: orderOf([[desk, 3]], { currency: 'EUR' }) })
  const { updateOrder } = (await ask(change, { id: ids[0], input: { customerId: 'other' } })).data
  assert.partialDeepStrictEqual((await user.get(`/api/orders/${ids[0]}`)).body, updateOrder)
  await ask(`mutation { payOrder(id: "${ids[0]}") { id } }`)
  await ask(`mutation { cancelOrder(id: "${ids[1]}") { id } }`)
  await ask(`mutation { deleteProduct(id: "${desk.id}") { id } }`)
}

function withoutIds({ type, data }: { type: string; data: Record<string, unknown> }): object {
  const members = Object.entries(data).map(([name, value]) => [
    name,
    name.endsWith('Id') && name !== 'customerId' ? '' : value,
  ])
  return { type, data: Object.fromEntries(members) }
}

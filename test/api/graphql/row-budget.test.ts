/** Bounds on what one GraphQL row contains, and on what the database renders of it. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase, takesTurn } from '../../support/databases.ts'
import { EventReader } from '../../support/graphql/event-reader.ts'
import { type Recorder, recorderOf } from '../../support/graphql/statement-recorder.ts'
import { eventsOf } from '../../support/orders.ts'
import { fillWithProducts } from '../../support/product-rows.ts'
import { atAnyCost, startService, type TestService, type TestTenant } from '../../support/service.ts'
import { shelfFeature } from './shelf.ts'

const items = 200
/** As many copies of a description fit into a reply: each is 2.4 MB for all items. */
const fitting = 5
/** All descriptions of one order, once. */
const mostRendered = 3_000_000
const products = 400

const copies = (count: number, prefix = 'd') =>
  Array.from({ length: count }, (_each, index) => `${prefix}${index}: description`).join(' ')

onEachDatabase('A row of GraphQL', (database) => {
  let service: TestService
  let tenant: TestTenant
  let recorder: Recorder
  let order: string
  let shelf: string
  before(async () => {
    service = await startService(database, {}, { ...atAnyCost, features: [shelfFeature] })
    tenant = await service.newTenant()
    await fillWithProducts(service, tenant, products)
    recorder = await recorderOf(service, tenant)
    const { body: all } = await tenant.user.get('/api/products?limit=1')
    const line = { productId: all[0].id, quantity: 1 }
    const made = await tenant.user.post('/api/orders', { customerId: 'c', items: Array(items).fill(line) })
    order = made.body.id
    shelf = (await tenant.user.post('/api/categories', { name: 'Shelf' })).body.id
  })
  after(() => service.stop())

  const ask = (query: string) => tenant.user.post('/graphql', { query })
  const change = (selected: string) =>
    `mutation { updateOrder(id: "${order}", input: { customerId: "d" }) { items { product { ${selected} } } } }`
  const ways: Record<string, (selected: string) => string> = {
    'the row itself': (selected) => `{ order(id: "${order}") { items { product { ${selected} } } } }`,
    'a page': (selected) => `{ orders(first: 1) { nodes { items { product { ${selected} } } } } }`,
    'a mutation': change,
  }

  /** What does not depend on how the database renders and measures rows is tried on one of the two. */
  const hasTurn = takesTurn(database)
  const tried = Object.entries(ways).filter(([way]) => hasTurn || way === 'a page')
  for (const [way, document] of tried) {
    it(`is refused when it is copied too often, and rendered once: ${way}`, async () => {
      const { reply, sent } = await recorder.run(document(copies(150)))
      assert.equal(reply.errors[0].extensions.code, 'HC0047')
      assert.match(reply.errors[0].message, /more than 16777216 bytes/)
      const rendered = sent.reduce((sum, { characters }) => sum + characters, 0)
      assert.ok(rendered > 2_000_000 && rendered < mostRendered, `${rendered}`)
    })

    it(`comes with all its copies where they fit: ${way}`, async () => {
      const count = way === 'a page' ? fitting : 2
      const { body, text } = await ask(document(`id ${copies(count)} kind: __typename`))
      assert.equal(body.errors, undefined)
      assert.equal(text.match(new RegExp(`"d${count - 1}":"(\\\\u0001){2000}"`, 'g'))?.length, items)
      assert.equal(text.match(/\{"id":"[^"]+","d0":/g)?.length, items)
      assert.equal(text.match(/,"kind":"Product"\}/g)?.length, items)
    })
  }

  it('comes with no more others than can be held, however small the rows before it are', async () => {
    const { productId } = (await tenant.user.get(`/api/orders/${order}`)).body.items[0]
    const lines = (count: number) => ({
      customerId: 'many',
      items: Array(count).fill({ productId, quantity: 1 }),
    })
    for (let index = 0; index < 45; index++) {
      const made = await tenant.user.post('/api/orders', lines(index < 35 ? 1 : items))
      assert.equal(made.status, 201)
    }
    const { reply, sent } = await recorder.run(
      '{ orders(first: 50, where: { customerId: { eq: "many" } }) { nodes { items { product { description } } } } }',
    )
    assert.equal(reply.errors[0].extensions.code, 'HC0047')
    const mostAtOnce = Math.max(...sent.map((statement) => statement.mostAtOnce))
    assert.ok(mostAtOnce > 2_000_000 && mostAtOnce < 8_400_000, `${mostAtOnce}`)
  })

  it('brings along any number of rows, as long as they are not too large', async () => {
    const put = async (count: number) => {
      const { databaseUrl } = service.config
      await inspect(databaseUrl, 'UPDATE product SET category_id = NULL')
      const first = `SELECT id FROM product ORDER BY id LIMIT ${count}`
      await inspect(databaseUrl, `UPDATE product SET category_id = '${shelf}' WHERE id IN (${first})`)
    }
    const documents = (selected: string) => [
      `{ shelf(id: "${shelf}") { products { ${selected} } } }`,
      `{ shelves { products { ${selected} } } }`,
      `{ shelfPages(first: 1) { nodes { products { ${selected} } } } }`,
    ]
    await put(100)
    for (const document of documents('description')) {
      const { body } = await ask(document)
      assert.equal(JSON.stringify(body.data).match(/"description"/g)?.length, 100)
    }
    await put(products)
    for (const document of [...documents('id'), ...documents('id again: id')]) {
      const { body } = await ask(document)
      assert.equal(JSON.stringify(body.data).match(/"id"/g)?.length, products, document)
    }
    for (const document of [...documents('description'), ...documents(copies(2))]) {
      const { reply, sent } = await recorder.run(document)
      assert.equal(reply.errors[0].extensions.code, 'HC0047')
      assert.match(reply.errors[0].message, /^A row with its related rows may have at most 4194304 bytes/)
      assert.ok(sent.reduce((sum, { characters }) => sum + characters, 0) < 1000)
      assert.match(
        (await ask(document)).body.errors[0].message,
        /^A row with its related rows may have at most 4194304 bytes/,
      )
    }
    await put(60)
    // Circles multiply.
    const circle = 'products { shelf { products { shelf { products { id } } } } }'
    const { reply, sent } = await recorder.run(`{ shelf(id: "${shelf}") { ${circle} } }`)
    assert.match(reply.errors[0].message, /^A row with its related rows may have at most 4194304 bytes/)
    assert.ok(sent.reduce((sum, { characters }) => sum + characters, 0) < 1000)
  })

  if (!hasTurn) return

  it('is refused when its copies are in several lists of a page', async () => {
    const lists = Array.from(
      { length: 20 },
      (_each, index) => `n${index}: nodes { items { product { description } } }`,
    )
    const { reply, sent } = await recorder.run(`{ orders(first: 1) { ${lists.join(' ')} } }`)
    assert.equal(reply.errors[0].extensions.code, 'HC0047')
    assert.ok(sent.reduce((sum, { characters }) => sum + characters, 0) < mostRendered)
  })

  it('is refused when the names of its members are what is long', async () => {
    const name = 'n'.repeat(90_000)
    const { reply, sent } = await recorder.run(`{ order(id: "${order}") { items { ${name}: quantity } } }`)
    assert.equal(reply.errors[0].extensions.code, 'HC0047')
    assert.ok(sent.reduce((sum, { characters }) => sum + characters, 0) < 100_000)
  })

  it('is not changed by a mutation that is refused', async () => {
    const changed = await ask(change('id'))
    assert.equal(changed.body.errors, undefined)
    const count = (await eventsOf(service, tenant.id)).length
    const { body } = await ask(change(copies(150)).replace('"d"', '"e"'))
    assert.equal(body.errors[0].extensions.code, 'HC0047')
    assert.equal((await tenant.user.get(`/api/orders/${order}`)).body.customerId, 'd')
    assert.equal((await eventsOf(service, tenant.id)).length, count)
  })

  it('is not read when the rows before it took all that there was', async () => {
    const roots = Array.from(
      { length: 20 },
      (_each, root) => `r${root}: order(id: "${order}") { items { product { ${copies(fitting)} } } }`,
    )
    const { reply, sent } = await recorder.run(`{ ${roots.join(' ')} }`)
    const failed = roots.filter((_each, root) => reply.data[`r${root}`] === null)
    assert.equal(failed.length, roots.length - 1)
    // Four are read at a time.
    assert.ok(sent.length <= 5, `${sent.length}`)
  })

  it('ends a subscription to which it would be too large', async () => {
    for (const selected of ['description', copies(20)]) {
      const query = `subscription { onOrderCreated { items { product { ${selected} } } } }`
      await using follower = await EventReader.open(tenant.user, { query })
      const { items: lines } = (await tenant.user.get(`/api/orders/${order}`)).body
      const input = lines.map(({ productId }: { productId: string }) => ({ productId, quantity: 1 }))
      await tenant.user.post('/api/orders', { customerId: 'c', items: input })
      const event = await follower.inbox.next()
      assert.equal(event.data.errors[0].extensions.code, 'HC0047')
    }
  })
})

/** Bounds on what one GraphQL operation reads. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { fillWithProducts } from '../../support/product-rows.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'

const rows = 150
const aliases = (count: number) => Array.from({ length: count }, (_each, index) => `d${index}: description`)
const lists = (roots: number, each: number) =>
  `{ ${Array.from({ length: roots }, (_each, index) => `r${index}: products { ${aliases(each).join(' ')} }`).join(' ')} }`

onEitherDatabase('An operation of GraphQL', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    const settings = { GRAPHQL_MAX_BYTES: '4000000', GRAPHQL_MAX_ROWS: '400' }
    service = await startService(database, settings)
    tenant = await service.newTenant()
    await fillWithProducts(service, tenant, rows)
  })
  after(() => service.stop())

  const ask = (query: string, client = service.anonymous) =>
    client.post('/graphql', { query }, { 'x-tenant-id': tenant.id })

  it('gets what is within its bounds, in chunks', async () => {
    const plain = service.anonymous.with({ 'accept-encoding': 'identity' })
    const { body, headers, text } = await ask('{ products { id name description } }', plain)
    assert.equal(body.data.products.length, rows)
    assert.equal(new Set(body.data.products.map(({ id }: { id: string }) => id)).size, rows)
    assert.ok(text.length > 1_800_000)
    assert.equal(headers.get('content-length'), `${Buffer.byteLength(text)}`)
  })

  it('costs by the rows that a list may have and by the bytes of what is selected', async () => {
    const costs = { GRAPHQL_MAX_ROWS: '10000' }
    const large = await startService(database, costs)
    try {
      const { body } = await large.anonymous.post('/graphql', { query: lists(8, 6) })
      assert.equal(body.errors[0].extensions.code, 'HC0047')
      assert.match(body.errors[0].message, /^The operation costs \d{4}\. The maximum is 1000\.$/)
      const { body: few } = await large.anonymous.post('/graphql', { query: lists(1, 1) })
      assert.deepEqual(few, { data: { r0: [] } })
    } finally {
      await large.stop()
    }
  })

  // Without a token the time in PostgreSQL may be over first.
  for (const who of database === 'sqlite' ? ['nobody', 'a user'] : ['a user']) {
    it(`ends when the reply is too large, asked by ${who}`, async () => {
      const client = who === 'nobody' ? service.anonymous : tenant.user
      const { body } = await ask(lists(2, 2), client)
      const codes = body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)
      assert.deepEqual(new Set(codes), new Set(['HC0047']))
      assert.match(body.errors[0].message, /more than 4000000 bytes/)
      assert.equal(body.data, null)
    })
  }

  it('counts the rows of all its fields together', async () => {
    const fields = (count: number) =>
      Array.from({ length: count }, (_each, index) => `r${index}: products { id }`).join(' ')
    assert.equal(Object.keys((await ask(`{ ${fields(2)} }`)).body.data).length, 2)
    const { body } = await ask(`{ ${fields(3)} }`)
    assert.equal(body.errors[0].extensions.code, 'HC0051')
    assert.match(body.errors[0].message, /^More than 400 rows match/)
  })

  it('ends a connection whose rows are too large together', async () => {
    const { body: all } = await ask('{ products { id } }')
    const items = Array(200).fill({ productId: all.data.products[0].id, quantity: 1 })
    const place = async () => tenant.user.post('/api/orders', { customerId: 'c', items })
    const nodes = '{ nodes { items { product { description } } } }'
    assert.equal((await place()).status, 201)
    const { body: one } = await ask(`{ orders ${nodes} }`, tenant.user)
    assert.equal(one.data.orders.nodes[0].items.length, 200)
    assert.equal((await place()).status, 201)
    const { body } = await ask(`{ orders ${nodes} }`, tenant.user)
    assert.equal(body.errors[0].extensions.code, 'HC0047')
    assert.match(body.errors[0].message, /more than 4000000 bytes/)
  })
})

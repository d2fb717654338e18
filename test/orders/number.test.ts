/** Orders of a tenant are numbered, and lists are in the order of the numbers. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachDatabase, onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { newProduct, orderOf, type Product } from '../support/orders.ts'
import { nextPage, walkPages } from '../support/pages.ts'
import { sharedService, type TestService, type TestTenant, uniqueName } from '../support/service.ts'

interface Row {
  id: string
  number: number
  status: string
  customerId: string
}

onEachDatabase('The orders of a tenant', (database) => {
  let service: TestService
  before(async () => {
    service = await sharedService(database)
  })
  after(() => service.stop())

  it('are counted from one, without a gap, whatever is refused in between', async () => {
    const shop = await newShop(service)
    assert.equal((await placeOrder(shop)).number, 1)
    assertError(await shop.user.post('/api/orders', orderOf([[{ id: shop.id }, 1]])), 400)
    const stranger = { id: '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11' }
    assertError(await shop.user.post('/api/orders', orderOf([[stranger, 1]])), 400)
    assert.equal((await placeOrder(shop)).number, 2)
    assert.equal((await placeOrder(await newShop(service))).number, 1)
  })

  it('get a number each when twenty are placed at the same moment, in the order of the list', async () => {
    const shop = await newShop(service)
    const placed = await Promise.all(Array.from({ length: 20 }, () => placeOrder(shop)))
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1)
    assert.deepEqual(
      placed.map(({ number }) => number).toSorted((one, other) => one - other),
      numbers,
    )
    const list: Row[] = (await shop.user.get('/api/orders?limit=200')).body
    assert.deepEqual(
      list.map(({ number }) => number),
      numbers,
    )
  })
})

onEitherDatabase('Lists of orders', (database) => {
  let service: TestService
  before(async () => {
    service = await sharedService(database)
  })
  after(() => service.stop())

  it('are of a database of the tenant’s own, and counted there', async () => {
    const shop = await newShop(service, { connectionString: `sqlite:${uniqueName('own')}.db` })
    const order = await placeOrder(shop)
    assert.equal(order.number, 1)
    assert.equal((await shop.user.post(`/api/orders/${order.id}/pay`)).body.status, 'PAID')
    assert.deepEqual((await shop.user.get('/api/orders')).body.length, 1)
  })

  it('are listed in pages of fifty, also when nobody asks for pages', async () => {
    const shop = await newShop(service)
    for (let count = 0; count < 53; count++) await placeOrder(shop)
    const pages = await walkPages(shop.user, '/api/orders')
    assert.deepEqual(
      pages.map(({ body }) => body.length),
      [50, 3],
    )
    const small = await walkPages(shop.user, '/api/orders?limit=20')
    assert.deepEqual(
      small.flatMap(({ body }) => body),
      pages.flatMap(({ body }) => body),
    )
    const first = await shop.user.get('/api/orders')
    const etag = first.headers.get('etag') ?? ''
    assert.equal((await shop.user.get('/api/orders', { 'if-none-match': etag })).status, 304)
    assert.equal(nextPage(pages[1] ?? first), null)
    for (const query of ['limit=0', 'limit=201', 'cursor=x', 'status=LOST', 'customerId=']) {
      assertError(await shop.user.get(`/api/orders?${query}`), 400)
    }
  })

  it('are filtered by state and by customer, page after page', async () => {
    const shop = await newShop(service)
    const placed: Row[] = []
    for (let count = 0; count < 12; count++) placed.push(await placeOrder(shop, `customer-${count % 3}`))
    for (const { id } of placed.slice(0, 6)) await shop.user.post(`/api/orders/${id}/pay`)
    await shop.user.post(`/api/orders/${placed[6]?.id}/cancel`)
    const numbers = async (query: string) => {
      const pages = await walkPages(shop.user, `/api/orders?limit=2&${query}`)
      return pages.flatMap(({ body }) => body).map(({ number }: Row) => number)
    }
    assert.deepEqual(await numbers('status=PAID'), [1, 2, 3, 4, 5, 6])
    assert.deepEqual(await numbers('status=CANCELLED'), [7])
    assert.deepEqual(await numbers('customerId=customer-1'), [2, 5, 8, 11])
    assert.deepEqual(await numbers('status=PENDING&customerId=customer-1'), [8, 11])
    assert.deepEqual(await numbers('customerId=nobody'), [])
  })
})

interface Shop extends TestTenant {
  product: Product
}

async function newShop(service: TestService, members = {}): Promise<Shop> {
  const tenant = await service.newTenant(members)
  return { ...tenant, product: await newProduct(tenant.user) }
}

async function placeOrder({ user, product }: Shop, customerId = 'customer-7'): Promise<Row> {
  const made = await user.post('/api/orders', orderOf([[product, 1]], { customerId }))
  assert.equal(made.status, 201, made.text)
  return made.body
}

import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { eventsOf, newProduct, orderOf, type Product } from '../support/orders.ts'
import { sharedService, type TestService, type TestTenant } from '../support/service.ts'

const unknownId = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'

onEitherDatabase('Orders', (database) => {
  let service: TestService
  let tenant: TestTenant
  let desk: Product
  let lamp: Product
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    desk = await newProduct(tenant.user, { name: 'Desk', price: 19.99 })
    lamp = await newProduct(tenant.user, { name: 'Lamp', price: 0.1 })
  })
  after(() => service.stop())

  const place = async (body: object = orderOf([[desk, 1]])) => {
    const made = await tenant.user.post('/api/orders', body)
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  it('come back as they were placed, with names, prices and totals', async () => {
    const members = { customerId: ' customer-9 ', currency: 'EUR', status: 'PAID', total: 1, number: 77 }
    const items = [desk, lamp, desk].map((product, index) => ({
      productId: product.id.toUpperCase(),
      quantity: index + 1,
    }))
    const made = await tenant.user.post('/api/orders', { ...members, items })
    assert.equal(made.status, 201, made.text)
    const { id, number, createdAt } = made.body
    assert.deepEqual(made.body, {
      id,
      number,
      customerId: 'customer-9',
      status: 'PENDING',
      currency: 'EUR',
      total: 80.16,
      items: [
        { productId: desk.id, name: 'Desk', quantity: 1, unitPrice: 19.99, lineTotal: 19.99 },
        { productId: lamp.id, name: 'Lamp', quantity: 2, unitPrice: 0.1, lineTotal: 0.2 },
        { productId: desk.id, name: 'Desk', quantity: 3, unitPrice: 19.99, lineTotal: 59.97 },
      ],
      createdAt,
      updatedAt: createdAt,
    })
    assert.equal(made.headers.get('location'), `/api/orders/${id}`)
    assert.equal(made.headers.get('etag'), '"v1"')
    const read = await tenant.user.get(`/api/orders/${id.toUpperCase()}`)
    assert.equal(read.status, 200)
    assert.equal(read.text, made.text)
    assert.equal(read.headers.get('etag'), '"v1"')
    const list = await tenant.user.get('/api/orders?customerId=customer-9')
    assert.equal(list.text, `[${made.text}]`)
  })

  it('have no currency unless they are given one', async () => {
    assert.equal((await place()).currency, null)
    assert.equal((await place(orderOf([[desk, 1]], { currency: null }))).currency, null)
  })

  it('keep the name and the price of a product that is changed or deleted', async () => {
    const product = await newProduct(tenant.user, { name: 'Chair', price: 7.5 })
    const order = await place(orderOf([[product, 2]]))
    await tenant.user.put(`/api/products/${product.id}`, { name: 'Stool', price: 9, isActive: false })
    const path = `/api/orders/${order.id}`
    assert.deepEqual((await tenant.user.get(path)).body, order)
    assert.equal((await tenant.user.delete(`/api/products/${product.id}`)).status, 204)
    assert.deepEqual((await tenant.user.get(path)).body, order)
    const paid = await tenant.user.post(`${path}/pay`)
    assert.deepEqual(paid.body, { ...order, status: 'PAID', updatedAt: paid.body.updatedAt })
  })

  it('name every item that cannot be ordered', async () => {
    const gone = await newProduct(tenant.user)
    await tenant.user.delete(`/api/products/${gone.id}`)
    const idle = await newProduct(tenant.user, { isActive: false })
    const foreign = await newProduct((await service.newTenant()).user)
    const known = (await tenant.user.get('/api/orders?limit=200')).text
    const message =
      'items.0.productId: names no product; items.2.productId: names a product that is not active; ' +
      'items.3.productId: names no product; items.4.productId: names no product'
    const body = orderOf([
      [gone, 1],
      [desk, 1],
      [idle, 1],
      [foreign, 1],
      [{ id: unknownId }, 1],
    ])
    assertError(await tenant.user.post('/api/orders', body), 400, message)
    const problem = await tenant.user.post('/api/orders', body, { accept: 'application/problem+json' })
    assert.deepEqual(
      problem.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      [0, 2, 3, 4].map((index) => `#/items/${index}/productId`),
    )
    const order = await place()
    const path = `/api/orders/${order.id}`
    assertError(
      await tenant.user.put(path, { items: [{ productId: idle.id, quantity: 1 }] }),
      400,
      /^items\.0\./,
    )
    assert.deepEqual((await tenant.user.get(path)).body, order)
    await tenant.user.post(`${path}/cancel`)
    assert.equal(JSON.parse(known).length + 1, (await tenant.user.get('/api/orders?limit=200')).body.length)
  })

  it('keep what a change leaves out, and take prices of now for new items', async () => {
    const product = await newProduct(tenant.user, { name: 'Shelf', price: 5 })
    const order = await place(orderOf([[product, 2]], { currency: 'EUR' }))
    const path = `/api/orders/${order.id}`
    await tenant.user.put(`/api/products/${product.id}`, { name: 'Board', price: 6 })
    const first = await tenant.user.put(path, {
      customerId: 'customer-8',
      status: 'PAID',
      number: 5,
      id: unknownId,
    })
    assert.equal(first.status, 200, first.text)
    assert.deepEqual(first.body, { ...order, customerId: 'customer-8', updatedAt: first.body.updatedAt })
    assert.equal(first.headers.get('etag'), '"v2"')
    const items = [
      { productId: lamp.id, quantity: 3 },
      { productId: product.id, quantity: 1 },
    ]
    const second = await tenant.user.put(path, { items, currency: null })
    assert.deepEqual(second.body, {
      ...first.body,
      currency: null,
      total: 6.3,
      items: [
        { ...items[0], name: 'Lamp', unitPrice: 0.1, lineTotal: 0.3 },
        { ...items[1], name: 'Board', unitPrice: 6, lineTotal: 6 },
      ].map(({ productId, name, quantity, unitPrice, lineTotal }) => ({
        productId,
        name,
        quantity,
        unitPrice,
        lineTotal,
      })),
      updatedAt: second.body.updatedAt,
    })
    assert.equal((await tenant.user.get(path)).text, second.text)
  })

  it('are 404 when there is none', async () => {
    const none = 'There is no such order.'
    const path = `/api/orders/${unknownId}`
    assertError(await tenant.user.get(path), 404, none)
    assertError(await tenant.user.put(path, {}), 404, none)
    assertError(await tenant.user.put(path, {}, { 'if-match': '*' }), 404, none)
    for (const verb of ['pay', 'cancel']) assertError(await tenant.user.post(`${path}/${verb}`), 404, none)
    assertError(await tenant.user.get('/api/orders/1'), 404)
    assertError(await service.anonymous.get('/api/orders'), 401)
  })

  it('refuse input that is not valid', async () => {
    const { id } = await place()
    const one = { productId: desk.id, quantity: 1 }
    const refusals: [object, RegExp][] = [
      [{ customerId: ' ' }, /^customerId: must not have fewer than 1 characters$/],
      [{ customerId: 'x'.repeat(101) }, /^customerId: must not have more than 100/],
      [{ customerId: 7 }, /^customerId: must be string$/],
      [{ items: [] }, /^items: must not have fewer than 1 items$/],
      [{ items: Array(201).fill(one) }, /^items: must not have more than 200 items$/],
      [{ items: [{ ...one, quantity: 0 }] }, /^items\.0\.quantity: must be >= 1$/],
      [{ items: [{ ...one, quantity: 1.5 }] }, /^items\.0\.quantity: must be integer$/],
      [{ items: [{ ...one, quantity: 1_000_001 }] }, /^items\.0\.quantity: must be <= 1000000$/],
      [{ items: [one, { productId: desk.id }] }, /^items\.1\.quantity: is required$/],
      [{ items: [{ ...one, productId: 'desk' }] }, /^items\.0\.productId: must be a valid uuid$/],
      [{ currency: 'eur' }, /^currency: /],
      [{ currency: 'EURO' }, /^currency: /],
    ]
    for (const [members, message] of refusals) {
      assertError(
        await tenant.user.post('/api/orders', { ...orderOf([[desk, 1]]), ...members }),
        400,
        message,
      )
      assertError(await tenant.user.put(`/api/orders/${id}`, members), 400, message)
    }
    assertError(await tenant.user.post('/api/orders', {}), 400, /customerId: is required.*items: is required/)
    assert.equal((await place(orderOf(Array(200).fill([desk, 1])))).items.length, 200)
  })

  it('cost no more than an amount can be', async () => {
    const dear = await newProduct(tenant.user, { price: 99_999_999_999.9999 })
    const message = 'items: must not cost more than 99999999999.9999'
    assert.equal((await place(orderOf([[dear, 1]]))).total, 99_999_999_999.9999)
    const cheap = await newProduct(tenant.user, { price: 0.0001 })
    assertError(await tenant.user.post('/api/orders', orderOf([[dear, 2]])), 400, message)
    assertError(
      await tenant.user.post(
        '/api/orders',
        orderOf([
          [dear, 1],
          [cheap, 1],
        ]),
      ),
      400,
      message,
    )
  })

  it('tell of each change in an event, and of none that was refused', async () => {
    const shop = await service.newTenant()
    const product = await newProduct(shop.user, { price: 0.7 })
    const made = await shop.user.post('/api/orders', orderOf([[product, 3]]))
    const path = `/api/orders/${made.body.id}`
    await shop.user.post('/api/orders', orderOf([[{ id: unknownId }, 1]]))
    await shop.user.put(path, { items: [{ productId: product.id, quantity: 1 }], customerId: 'customer-8' })
    await shop.user.put(path, { customerId: 'x' }, { 'if-match': '"v1"' })
    await shop.user.post(`${path}/pay`)
    await shop.user.post(`${path}/cancel`)
    const other = await shop.user.post('/api/orders', orderOf([[product, 1]]))
    await shop.user.post(`/api/orders/${other.body.id}/cancel`)
    const told = (await eventsOf(service, shop.id)).filter(({ type }) => type.startsWith('order.'))
    const orderId = made.body.id
    const otherId = other.body.id
    assert.deepEqual(
      told.map(({ type, data }) => ({ type, data })),
      [
        { type: 'order.created', data: { orderId, customerId: 'customer-7', total: 2.1 } },
        { type: 'order.updated', data: { orderId, customerId: 'customer-8', total: 0.7 } },
        { type: 'order.paid', data: { orderId, customerId: 'customer-8', total: 0.7 } },
        { type: 'order.created', data: { orderId: otherId, customerId: 'customer-7', total: 0.7 } },
        { type: 'order.cancelled', data: { orderId: otherId, customerId: 'customer-7', total: 0.7 } },
      ],
    )
  })
})

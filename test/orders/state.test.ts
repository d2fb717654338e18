/** PENDING becomes PAID or CANCELLED, once, also with simultaneous requests. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { eventsOf, newProduct, orderOf, type Product } from '../support/orders.ts'
import { sharedService, type TestService, type TestTenant } from '../support/service.ts'

const changed = 'The resource has changed since it was read.'

onEitherDatabase('The state of an order', (database) => {
  let service: TestService
  let tenant: TestTenant
  let desk: Product
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    desk = await newProduct(tenant.user)
  })
  after(() => service.stop())

  const place = async () => {
    const made = await tenant.user.post('/api/orders', orderOf([[desk, 1]]))
    assert.equal(made.status, 201, made.text)
    return { order: made.body, path: `/api/orders/${made.body.id}` }
  }
  const told = async (orderId: string) =>
    (await eventsOf(service, tenant.id))
      .filter(({ data }) => data['orderId'] === orderId)
      .map(({ type }) => type)

  for (const [verb, status] of [
    ['pay', 'PAID'],
    ['cancel', 'CANCELLED'],
  ] as const) {
    it(`becomes ${status} and stays so, and a refusal names both states`, async () => {
      const { order, path } = await place()
      const moved = await tenant.user.post(`${path}/${verb}`)
      assert.equal(moved.status, 200, moved.text)
      assert.deepEqual(moved.body, { ...order, status, updatedAt: moved.body.updatedAt })
      assert.equal(moved.headers.get('etag'), '"v2"')
      assertError(
        await tenant.user.post(`${path}/pay`),
        400,
        `The order is ${status} and cannot become PAID.`,
      )
      assertError(
        await tenant.user.post(`${path}/cancel`),
        400,
        `The order is ${status} and cannot become CANCELLED.`,
      )
      const frozen = `The order is ${status}: only a PENDING one can be changed.`
      assertError(await tenant.user.put(path, { customerId: 'other' }), 400, frozen)
      assert.equal((await tenant.user.get(path)).text, moved.text)
      assert.deepEqual(await told(order.id), ['order.created', `order.${status.toLowerCase()}`])
    })

    it(`becomes ${status} only in the version that the client knows`, async () => {
      const { order, path } = await place()
      await tenant.user.put(path, { customerId: 'other' })
      for (const tag of ['"v1"', 'W/"v1"', 'v2']) {
        assertError(await tenant.user.post(`${path}/${verb}`, undefined, { 'if-match': tag }), 412, changed)
        assertError(await tenant.user.put(path, {}, { 'if-match': tag }), 412, changed)
      }
      assert.equal((await tenant.user.get(path)).body.status, order.status)
      assert.equal((await tenant.user.post(`${path}/${verb}`, undefined, { 'if-match': '"v2"' })).status, 200)
    })
  }

  it('becomes PAID once when two pay at the same moment, twenty times over', async () => {
    for (let round = 0; round < 20; round++) {
      const { order, path } = await place()
      const answers = await Promise.all([1, 2].map(() => tenant.user.post(`${path}/pay`)))
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
      const refused = answers.find(({ status }) => status === 400)
      assert.equal(refused?.body.message, 'The order is PAID and cannot become PAID.')
      assert.deepEqual(await told(order.id), ['order.created', 'order.paid'])
    }
  })

  it('is PAID or CANCELLED, never both, when somebody pays while another cancels', async () => {
    for (let round = 0; round < 20; round++) {
      const { order, path } = await place()
      const [pay, cancel] = await Promise.all([
        tenant.user.post(`${path}/pay`),
        tenant.user.post(`${path}/cancel`),
      ])
      assert.deepEqual([pay.status, cancel.status].toSorted(), [200, 400])
      const status = pay.status === 200 ? 'PAID' : 'CANCELLED'
      assert.equal((await tenant.user.get(path)).body.status, status)
      assert.deepEqual(await told(order.id), ['order.created', `order.${status.toLowerCase()}`])
    }
  })

  it('decides about a change of the items that comes at the same moment', async () => {
    const other = await newProduct(tenant.user, { price: 5 })
    for (let round = 0; round < 20; round++) {
      const { path } = await place()
      const items = [
        { productId: other.id, quantity: 1 },
        { productId: other.id, quantity: 2 },
      ]
      const [pay, change] = await Promise.all([
        tenant.user.post(`${path}/pay`),
        tenant.user.put(path, { items }),
      ])
      assert.equal(pay.status, 200, pay.text)
      const { body } = await tenant.user.get(path)
      assert.equal(body.status, 'PAID')
      const total = change.status === 200 ? 15 : 19.99
      assert.deepEqual([body.total, body.items.length, pay.body.total], [total, total === 15 ? 2 : 1, total])
    }
  })

  it('is never read with items of another version', async () => {
    const [one, two] = [
      await newProduct(tenant.user, { price: 1 }),
      await newProduct(tenant.user, { price: 2 }),
    ]
    const { path } = await place()
    let writing = true
    const write = async () => {
      for (let round = 0; round < 30; round++) {
        const [product, count] = round % 2 === 0 ? [one, 3] : [two, 7]
        const items = Array(count).fill({ productId: product.id, quantity: 1 })
        assert.equal((await tenant.user.put(path, { items })).status, 200)
      }
      writing = false
    }
    const read = async () => {
      while (writing) {
        const { body } = await tenant.user.get(path)
        const sum = body.items.reduce(
          (total: number, item: { lineTotal: number }) => total + item.lineTotal,
          0,
        )
        assert.equal(sum, body.total)
      }
    }
    await Promise.all([write(), read(), read()])
  })

  it('moves once for one Idempotency-Key, with one answer', async () => {
    for (const verb of ['pay', 'cancel']) {
      const { order, path } = await place()
      const key = { 'idempotency-key': randomUUID() }
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => tenant.user.post(`${path}/${verb}`, undefined, key)),
      )
      for (const { status, text } of answers) assert.deepEqual([status, text], [200, answers[0]?.text])
      assert.equal((await told(order.id)).length, 2)
    }
  })

  it('begins once for one Idempotency-Key', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const shop = await service.newTenant()
    const product = await newProduct(shop.user)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => shop.user.post('/api/orders', orderOf([[product, 1]]), key)),
    )
    for (const { status, text, headers } of answers) {
      assert.deepEqual([status, text], [201, answers[0]?.text])
      assert.equal(headers.get('location'), `/api/orders/${answers[0]?.body.id}`)
    }
    assert.equal((await shop.user.get('/api/orders')).body.length, 1)
    assertError(await shop.user.post('/api/orders', orderOf([[product, 2]]), key), 422)
  })
})

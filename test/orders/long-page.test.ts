/** Pages of orders with as many items as an order may have. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { TenantData } from '../../src/database/data.ts'
import { beforeAllIds } from '../../src/database/json-page.ts'
import { unlimited } from '../../src/database/read/measure.ts'
import { maxLines, orderLinePage } from '../../src/orders/sql.ts'
import { onEachDatabase } from '../support/databases.ts'
import { newProduct, orderOf } from '../support/orders.ts'
import { sharedService, type TestService, type TestTenant } from '../support/service.ts'

/** Items of each order: short ones first, so that nothing tells that long ones follow. */
const sizes = [1, 2, 1, 200, 200, 200, 200, 1, 200, 200, 200, 197, 3, 200]

onEachDatabase('A page of long orders', (database) => {
  let service: TestService
  let tenant: TestTenant
  const ids: string[] = []
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    const product = await newProduct(tenant.user)
    for (const size of sizes) {
      const lines = Array.from({ length: size }, (_each, index): [typeof product, number] => [
        product,
        index + 1,
      ])
      const { body } = await tenant.user.post('/api/orders', orderOf(lines))
      ids.push(body.id)
    }
  })
  after(() => service.stop())

  interface Listed {
    id: string
    items: { quantity: number }[]
  }
  const assertWhole = (orders: Listed[], from: number) => {
    for (const [index, { id, items }] of orders.entries()) {
      assert.equal(id, ids[from + index])
      const quantities = Array.from({ length: sizes[from + index] ?? 0 }, (_each, item) => item + 1)
      assert.deepEqual(
        items.map(({ quantity }) => quantity),
        quantities,
      )
    }
  }

  it('has every order, and each with all its items', async () => {
    const { body, headers } = await tenant.user.get('/api/orders?limit=200')
    assert.equal(body.length, sizes.length)
    assert.equal(headers.get('link'), null)
    assertWhole(body, 0)
  })

  it('is followed by the next', async () => {
    let path: string | undefined = '/api/orders?limit=6&status=PENDING'
    const lengths: number[] = []
    for (let from = 0; path !== undefined; from += 6) {
      const { body, headers } = await tenant.user.get(path)
      assertWhole(body, from)
      lengths.push(body.length)
      path = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(lengths, [6, 6, 2])
  })

  it('is read in chunks', async () => {
    const { catalogueDatabase } = (await service.service.operator()).shared
    const data = new TenantData(tenant.id, catalogueDatabase.executor)
    const lines = await orderLinePage(data, { after: beforeAllIds, limit: 200 }, unlimited.time)
    assert.equal(lines.length, maxLines)
  })
})

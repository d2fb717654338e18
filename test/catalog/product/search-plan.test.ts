/** A search of many names on PostgreSQL, with the extension `pg_trgm` and without. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { productsNamed } from '../../../src/catalog/product/list.ts'
import { product } from '../../../src/catalog/product/product.ts'
import { TenantData } from '../../../src/database/data.ts'
import type { Executor } from '../../../src/database/executor.ts'
import { totalOrder } from '../../../src/database/read/order.ts'
import { readSlice } from '../../../src/database/read/slice.ts'
import { wholeRow } from '../../../src/entity/chosen-members.ts'
import { inspect } from '../../support/database/inspect.ts'
import { explaining, type Plan } from '../../support/database/plan.ts'
import { createPostgresDatabase } from '../../support/databases.ts'
import { insertProducts } from '../../support/product-rows.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'

const count = 5000
const names = Array.from({ length: count }, (_, index) => (index === 2777 ? 'One 50%_off' : `Desk ${index}`))

describe(`A search of ${count} names on postgres`, () => {
  let service: TestService
  let tenant: TestTenant
  let executor: Executor
  before(async () => {
    service = await startService('postgres')
    tenant = await service.newTenant()
    await insertProducts(service, tenant.id, names)
    executor = (await service.service.operator()).shared.catalogueDatabase.executor
    await executor.run('VACUUM ANALYZE product', [], false) // empties the list of pending entries of the index
  })
  after(() => service.stop())

  const search = async (term: string) => {
    const plans: Plan[] = []
    const data = new TenantData(tenant.id, explaining(executor, plans))
    const { model: entity } = product
    const rows = { entity, filter: productsNamed(term), order: totalOrder(entity, []) }
    const range = { after: null, before: null, backward: false, limit: 51 }
    const found = await readSlice(data, { ...rows, ...range, selections: [wholeRow(entity)] })
    return { count: found.length, ...(plans[0] ?? { text: '', rowsRead: 0 }) }
  }

  for (const term of ['50%_off', 'one 50', 'desk 2776'])
    it(`finds ${term} by the index of trigrams`, async () => {
      const found = await search(term)
      assert.equal(found.count, 1)
      assert.match(found.text, /product_search_name_trigrams/)
      assert.ok(found.rowsRead < 1000, `${found.rowsRead} rows were read: ${found.text}`)
    })

  it('reads no more than a page for a term that is in most names', async () => {
    const found = await search('desk')
    assert.equal(found.count, 51)
    assert.ok(found.rowsRead < 200, `${found.rowsRead} rows were read: ${found.text}`)
  })

  it('finds what is too short for the index', async () => {
    assert.equal((await search('%_')).count, 1)
    assert.equal((await search('_')).count, 1)
  })
})

describe('A search on a postgres whose extension is out of reach', () => {
  it('finds the same without an index', async () => {
    const { url, drop } = await createPostgresDatabase()
    await inspect(url, 'CREATE SCHEMA elsewhere')
    await inspect(url, 'CREATE EXTENSION pg_trgm SCHEMA elsewhere')
    const service = await startService('postgres', { DATABASE_URL: url })
    try {
      assert.deepEqual(
        await inspect(url, "SELECT 1 FROM pg_class WHERE relname = 'product_search_name_trigrams'"),
        [],
      )
      const { user } = await service.newTenant()
      await user.post('/api/products', { name: 'Walnut desk', price: 1 })
      assert.equal((await user.get('/api/products/search/NUT%20D')).body.length, 1)
    } finally {
      await service.stop()
      await drop()
    }
  })
})

/** Orders that entities declare as indexed: the databases have the index, and a page reads that index only. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { TenantData } from '../../../src/database/data.ts'
import type { Database } from '../../../src/database/executor.ts'
import { everything, type Filter } from '../../../src/database/read/filter.ts'
import { isIndexed } from '../../../src/database/read/indexed.ts'
import { readList } from '../../../src/database/read/list.ts'
import { totalOrder } from '../../../src/database/read/order.ts'
import type { ReadModel } from '../../../src/database/read/read-model.ts'
import type { Selection } from '../../../src/database/read/selection.ts'
import { readSlice } from '../../../src/database/read/slice.ts'
import { explaining, type Plan } from '../../support/database/plan.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { fieldOf, orders, products } from '../../support/graphql/entities.ts'
import { insertProducts } from '../../support/product-rows.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'
import { insertOrders } from './many-orders.ts'

const count = 5000
const ties = 50
const productNames = Array.from({ length: count }, (_, index) => `Desk ${index % (count / ties)}`)

onEachDatabase('An order that an index has', (database) => {
  let service: TestService
  let tenant: TestTenant
  let opened: Database
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    await insertProducts(service, tenant.id, productNames)
    await insertOrders(service, tenant.id, count)
    opened = (await service.service.operator()).shared.catalogueDatabase
    if (database === 'postgres')
      for (const table of ['product', 'sales_order']) await opened.executor.run(`ANALYZE ${table}`, [], false)
  })
  after(() => service.stop())

  const asked = async (entity: ReadModel, names: readonly string[], descending: boolean) => {
    const plans: Plan[] = []
    const data = new TenantData(tenant.id, explaining(opened.executor, plans))
    const order = totalOrder(
      entity,
      names.map((name) => ({ path: [], field: fieldOf(entity, name), descending })),
    )
    const rows = { entity, filter: everything, order }
    const page = { ...rows, limit: 50, selections: [idAlone(entity)], before: null, backward: false }
    const first = await readSlice(data, { ...page, after: null })
    const last = first.at(-1)?.position ?? []
    const second = await readSlice(data, { ...page, after: last })
    await readList(data, { ...rows, limit: 50, selection: idAlone(entity) })
    const ids = [...first, ...second].map(({ json }) => json[0])
    return { plans, rows, ids }
  }

  for (const entity of [products, orders])
    for (const names of entity.indexes)
      it(`reads a page of ${entity.table} by ${names} and no other row`, async () => {
        const { plans, rows, ids } = await asked(entity, names, false)
        assert.ok(isIndexed(rows))
        assert.equal(new Set(ids).size, 100)
        for (const name of names) assert.ok(!fieldOf(entity, name).isNullable, `${name} may be null`)
        assertIndexed(plans, 110)
      })

  // All orders of the test were created in one moment.
  for (const entity of [products, orders])
    for (const names of entity.indexes)
      it(`reads the last of ${entity.table} by ${names} first, and no other row`, async () => {
        const { plans, rows, ids } = await asked(entity, names, true)
        assert.ok(isIndexed(rows))
        assert.equal(new Set(ids).size, 100)
        assertIndexed(plans, 110)
      })

  it('is of no use where a filter leaves rows out, or where the directions differ', () => {
    const field = fieldOf(products, 'price')
    const key = fieldOf(products, 'id')
    const filter: Filter = { kind: 'compare', field, operator: 'gt', value: 1 }
    const byPrice = totalOrder(products, [{ path: [], field, descending: false }])
    assert.ok(isIndexed({ entity: products, filter: everything, order: byPrice }))
    assert.ok(!isIndexed({ entity: products, filter, order: byPrice }))
    const bothWays = [
      { path: [], field, descending: true },
      { path: [], field: key, descending: false },
    ]
    assert.ok(!isIndexed({ entity: products, filter: everything, order: bothWays }))
    const byTwo = totalOrder(products, [
      { path: [], field, descending: false },
      { path: [], field: fieldOf(products, 'name'), descending: false },
    ])
    assert.ok(!isIndexed({ entity: products, filter: everything, order: byTwo }))
  })
})

function assertIndexed(plans: readonly Plan[], maxRows: number): void {
  assert.equal(plans.length, 3)
  for (const { text, rowsRead } of plans) {
    assert.doesNotMatch(text, /TEMP B-TREE FOR ORDER BY|USING PRIMARY KEY|Seq Scan/, text)
    assert.ok(rowsRead <= maxRows, `${rowsRead} rows were read: ${text}`)
  }
}

function idAlone(entity: ReadModel): Selection {
  return [{ kind: 'field', as: 'id', field: fieldOf(entity, 'id') }]
}

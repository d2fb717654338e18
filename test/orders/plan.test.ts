/** Many orders: every filter uses an index. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { firstIdAt } from '../../src/core/id.ts'
import { TenantData } from '../../src/database/data.ts'
import type { Database } from '../../src/database/executor.ts'
import { beforeAllIds } from '../../src/database/json-page.ts'
import { unlimited } from '../../src/database/read/measure.ts'
import { type OrderPageRange, orderLinePage } from '../../src/orders/sql.ts'
import { explaining, type Plan } from '../support/database/plan.ts'
import { type DatabaseName, onEachDatabase } from '../support/databases.ts'
import { sharedService, type TestService, type TestTenant } from '../support/service.ts'

const length = 5000

onEachDatabase(`A list of ${length} orders`, (database) => {
  let service: TestService
  let tenant: TestTenant
  let opened: Database
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    opened = (await service.service.operator()).shared.catalogueDatabase
    await insertManyOrders(opened, tenant.id)
  })
  after(() => service.stop())

  for (const [filter, index, count] of [
    [{ status: 'PENDING' }, 'status', 20],
    [{ customerId: 'rare' }, 'customer', 10],
    [{ status: 'PENDING', customerId: 'rare' }, 'customer|status', 10],
  ] as [Partial<OrderPageRange>, string, number][]) {
    it(`is read by an index for ${JSON.stringify(filter)}`, async () => {
      const plans: Plan[] = []
      const data = new TenantData(tenant.id, explaining(opened.executor, plans))
      const place = { after: beforeAllIds, limit: 51, ...filter }
      assert.equal((await orderLinePage(data, place, unlimited.time)).length, count)
      const [{ text, rowsRead } = { text: '', rowsRead: 0 }] = plans
      assert.match(text, new RegExp(`\\bsales_order_(${index})\\b`), text)
      assert.doesNotMatch(text, /SEARCH sales_order USING PRIMARY KEY|Seq Scan/, text)
      assert.ok(rowsRead <= 100, `${rowsRead} rows were read: ${text}`)
    })
  }

  it('finds what both filters have in common', async () => {
    const { body } = await tenant.user.get('/api/orders?status=PENDING&customerId=rare&limit=3')
    assert.deepEqual(
      body.map((order: Record<string, unknown>) => [order['status'], order['customerId']]),
      [0, 1, 2].map(() => ['PENDING', 'rare']),
    )
    const none = await tenant.user.get('/api/orders?status=PAID&customerId=rare')
    assert.deepEqual(none.body, [])
  })
})

/** The newest twenty are pending, and every other one of these of a customer of its own. */
async function insertManyOrders(database: Database, tenantId: string): Promise<void> {
  const moment = new Date().toISOString()
  const rows = Array.from({ length }, (_, index) => ({
    id: firstIdAt(new Date(Date.now() - (length - index) * 1000)),
    number: index + 1,
    customer: index >= length - 20 && index % 2 === 0 ? 'rare' : 'usual',
    status: index >= length - 20 ? 'PENDING' : 'PAID',
  }))
  const { dialect } = database
  await database.transaction(async (transaction) => {
    const given = [tenantId, JSON.stringify(rows)]
    await transaction.run(insert[dialect].order.replaceAll(':moment', `'${moment}'`), given, false)
    await transaction.run(insert[dialect].item, given, false)
  })
  if (dialect === 'postgres')
    for (const table of ['sales_order', 'sales_order_item'])
      await database.executor.run(`ANALYZE ${table}`, [], false)
}

const intoOrder =
  'INSERT INTO sales_order (tenant_id, id, number, customer_id, status, total, created_at, updated_at, version)'
const intoItem =
  'INSERT INTO sales_order_item (tenant_id, order_id, position, product_id, name, quantity, unit_price, line_total)'
const given = 'json_to_recordset($2) AS given (id uuid, number bigint, customer text, status text)'

const insert: Record<DatabaseName, { order: string; item: string }> = {
  sqlite: {
    order: `${intoOrder} SELECT ?, value ->> 'id', value ->> 'number', value ->> 'customer', value ->> 'status', 1, :moment, :moment, 1
      FROM json_each(?)`,
    item: `${intoItem} SELECT ?, value ->> 'id', 0, value ->> 'id', 'Desk', 1, 1, 1 FROM json_each(?)`,
  },
  postgres: {
    order: `${intoOrder} SELECT $1, id, number, customer, status, 1, :moment, :moment, 1 FROM ${given}`,
    item: `${intoItem} SELECT $1, id, 0, id, 'Desk', 1, 1, 1 FROM ${given}`,
  },
}

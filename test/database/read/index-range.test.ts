/** Ranges of values: SQLite reads those by an index that the table of `index-range.ts` names, and no others. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { TenantData } from '../../../src/database/data.ts'
import { type Database, StatementTimedOut } from '../../../src/database/executor.ts'
import { readGroups } from '../../../src/database/read/aggregate.ts'
import type { ComparisonOperator, Filter } from '../../../src/database/read/filter.ts'
import { type SortKey, totalOrder } from '../../../src/database/read/order.ts'
import type { Selection } from '../../../src/database/read/selection.ts'
import { countRows, readSlice } from '../../../src/database/read/slice.ts'
import { explaining, type Plan } from '../../support/database/plan.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { fieldOf, products } from '../../support/graphql/entities.ts'
import { insertProducts } from '../../support/product-rows.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'

/** As many as make a planner that has statistics choose. */
const count = 50_000

interface Case {
  member: 'price' | 'name' | 'createdAt'
  operator: ComparisonOperator
  /** Matches a hundred rows, near the end of the index. */
  value: string | number
}

const named: Selection = [{ kind: 'field', as: 'name', field: fieldOf(products, 'name') }]
const firstRows = { after: null, before: null, backward: false, limit: 1000 }
const sortBy = (name: string, descending = false): SortKey => ({
  path: [],
  field: fieldOf(products, name),
  descending,
})

const nameOf = (index: number) => `Desk ${String(index).padStart(6, '0')}`
const cases: Case[] = [
  { member: 'price', operator: 'gte', value: (count - 100) / 100 },
  { member: 'price', operator: 'gt', value: (count - 101) / 100 },
  { member: 'price', operator: 'lt', value: 1 },
  { member: 'price', operator: 'lte', value: 0.99 },
  { member: 'name', operator: 'startsWith', value: nameOf(count - 100).slice(0, -2) },
]

onEachDatabase('A range of values', (database) => {
  let service: TestService
  let tenant: TestTenant
  let opened: Database
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    await insertProducts(
      service,
      tenant.id,
      Array.from({ length: count }, (_, index) => nameOf(index)),
    )
    opened = (await service.service.operator()).shared.catalogueDatabase
    await opened.transaction((transaction) => transaction.run('ANALYZE product', [], false))
  })
  after(() => service.stop())

  function reading({ member, operator, value }: Case) {
    const plans: Plan[] = []
    const data = new TenantData(tenant.id, explaining(opened.executor, plans))
    const compare: Filter = { kind: 'compare', field: fieldOf(products, member), operator, value }
    const filter: Filter = { kind: 'and', parts: [compare] }
    return { plans, data, filter }
  }

  async function page(each: Case, descending: boolean) {
    const { plans, data, filter } = reading(each)
    const order = totalOrder(products, [sortBy(each.member, descending)])
    const rows = await readSlice(data, { entity: products, filter, order, selections: [named], ...firstRows })
    return { plan: plans[0], rows }
  }

  for (const each of cases) {
    const title = `${each.member} ${each.operator} ${each.value}`

    it(`is read by the index in the order of its member: ${title}`, async () => {
      for (const descending of [false, true]) {
        const { plan, rows } = await page(each, descending)
        assert.equal(rows.length, 100)
        assertRange(plan)
        assert.doesNotMatch(plan?.text ?? '', /TEMP B-TREE/)
      }
    })

    it(`is read row by row in another order: ${title}`, async () => {
      if (database === 'postgres') return // its planner estimates how long the range is
      const { plans, data, filter } = reading(each)
      const order = totalOrder(products, [sortBy('createdAt')])
      const request = { entity: products, filter, order, selections: [named], ...firstRows }
      // So many rows are a scan, which another thread runs.
      await assert.rejects(readSlice(data, request), StatementTimedOut)
      assert.doesNotMatch(plans[0]?.text ?? '', rangeOnSqlite)
    })

    it(`is counted by the index: ${title}`, async () => {
      const { plans, data, filter } = reading(each)
      assert.equal(
        await countRows(data, { entity: products, filter, order: [], after: null, before: null }),
        100,
      )
      assertRange(plans[0])
    })

    it(`is aggregated by the index: ${title}`, async () => {
      const { plans, data, filter } = reading(each)
      const values = [{ of: 'max', field: fieldOf(products, 'price') }] as const
      const request = { entity: products, filter, groupBy: [], values, order: [], limit: 1 }
      const [group] = await readGroups(data, request)
      assert.equal(group?.count, 100)
      assertRange(plans[0])
    })
  }

  it('of a beginning has every text that begins so, and no other', async () => {
    const texts = ['ab', 'ab\u{10FFFF}', 'ab\u{10FFFF}c', 'abc', 'a', 'ac', 'Ab', 'ab ', 'ábc']
    const other = await service.newTenant()
    await insertProducts(service, other.id, texts)
    const { body } = await other.admin.get('/api/products?name[startsWith]=ab&sort=name&limit=100')
    const found = body.map(({ name }: { name: string }) => name)
    assert.deepEqual(found.toSorted(), texts.filter((text) => text.startsWith('ab')).toSorted())
    const { headers } = await other.admin.get('/api/products?name[startsWith]=ab&count=true&limit=1')
    assert.equal(headers.get('x-total-count'), String(found.length))
  })

  function assertRange(plan: Plan = { text: '', rowsRead: count }): void {
    if (database === 'sqlite') assert.match(plan.text, rangeOnSqlite)
    else assert.ok(plan.rowsRead <= 250, plan.text)
  }
})

/** An index of the tenant's rows that is entered at a value. */
const rangeOnSqlite = /tenant_id=\? AND (?:price|name)[<>]/

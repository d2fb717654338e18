/** A page that is a million orders deep costs the database at most twice the work of the first. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { encodeRowCursor } from '../../../src/core/row-cursor.ts'
import { type SortKey, totalOrder } from '../../../src/database/read/order.ts'
import { inspect } from '../../support/database/inspect.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { fieldOf, orders } from '../../support/graphql/entities.ts'
import { type Recorder, recorderOf } from '../../support/graphql/statement-recorder.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'
import { frequentCustomer, insertOrders } from './many-orders.ts'
import { workOf } from './work.ts'

const count = 1_000_000
const mostTimes = 2

interface List {
  title: string
  /** Of the field. */
  args: string
  /** The same rows, in SQL. */
  where: string
  order: SortKey[]
}

const byId = totalOrder(orders, [])

/** Each has an index that leads to a place. */
const lists: List[] = [
  { title: 'all', args: '', where: 'true', order: byId },
  {
    title: 'those of a customer',
    args: `where: { customerId: { eq: "${frequentCustomer}" } }`,
    where: `customer_id = '${frequentCustomer}'`,
    order: byId,
  },
  { title: 'the paid ones', args: 'where: { status: { eq: PAID } }', where: `status = 'PAID'`, order: byId },
]

const byNumber: List = {
  title: 'all by their number',
  args: 'order: { number: ASC }',
  where: 'true',
  order: totalOrder(orders, [sortKey('number')]),
}

const forward = { sized: 'first: 50', edge: 'after', more: 'hasNextPage', other: 'hasPreviousPage' }
const backward = { sized: 'last: 50', edge: 'before', more: 'hasPreviousPage', other: 'hasNextPage' }
type Way = typeof forward

onEachDatabase('Among a million orders', (database) => {
  let service: TestService
  let tenant: TestTenant
  let recorder: Recorder
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
    await insertOrders(service, tenant.id, count, 'as created')
    recorder = await recorderOf(service, tenant)
  })
  after(() => service.stop())

  const workAt = async ({ args }: List, { sized, edge }: Way, asked: string, cursor: string | null) => {
    const query = `query ($cursor: String) { orders(${args} ${sized}, ${edge}: $cursor) {
      nodes { id } pageInfo { startCursor endCursor ${asked} }
    } }`
    return workOf(service.config.databaseUrl, await recorder.statementsOf(query, { cursor }))
  }

  /** The cursor of the row that so many others are before. */
  const cursorAt = async ({ where, order }: List, depth: number) => {
    const columns = order.map(({ field }) => field.column)
    const text = `SELECT ${columns} FROM sales_order WHERE ${where} ORDER BY ${columns} LIMIT 1 OFFSET ${depth}`
    const [row] = await inspect(service.config.databaseUrl, text)
    const place = order.map(({ field }) => {
      const value = String(row?.[field.column])
      return field.kind === 'integer' ? Number(value) : value
    })
    return encodeRowCursor(orders, order, place)
  }

  const lengthOf = async ({ where }: List) => {
    const text = `SELECT count(*) AS length FROM sales_order WHERE ${where}`
    return Number((await inspect(service.config.databaseUrl, text))[0]?.['length'])
  }

  /** From one end to the other. */
  const assertFlat = async (list: List, way: Way, asked: string) => {
    const most = mostTimes * (await workAt(list, way, asked, null))
    const length = await lengthOf(list)
    assert.ok(length > 20_000)
    for (const depth of [50, 1000, Math.floor(length / 2), length - 1001, length - 51]) {
      const work = await workAt(list, way, asked, await cursorAt(list, depth))
      assert.ok(work <= most, `${work} at ${depth} of ${length}, and not ${most}`)
    }
  }

  for (const list of lists) {
    describe(`a page of ${list.title}`, () => {
      it('is as cheap forward, and whether something is before it', () =>
        assertFlat(list, forward, `${forward.more} ${forward.other}`))
      it('is as cheap backward', () => assertFlat(list, backward, backward.more))
      it('is as cheap backward, and whether something is behind it', () =>
        assertFlat(list, backward, `${backward.more} ${backward.other}`))
    })
  }

  describe(`a page of ${byNumber.title}`, () => {
    it('is as cheap forward', () => assertFlat(byNumber, forward, forward.more))
    it('is as cheap backward', () => assertFlat(byNumber, backward, backward.more))
  })
})

function sortKey(name: string): SortKey {
  return { path: [], field: fieldOf(orders, name), descending: false }
}

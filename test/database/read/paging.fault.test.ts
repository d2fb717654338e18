/** Pages over very many orders: no row is lost or repeated, and both directions have the same order. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { decodeCursor } from '../../../src/api/graphql/argument/cursor.ts'
import { encodeRowCursor } from '../../../src/core/row-cursor.ts'
import { TenantData } from '../../../src/database/data.ts'
import type { Database } from '../../../src/database/executor.ts'
import { everything } from '../../../src/database/read/filter.ts'
import { type KeysetPosition, type SortKey, totalOrder } from '../../../src/database/read/order.ts'
import type { Selection } from '../../../src/database/read/selection.ts'
import { readSlice } from '../../../src/database/read/slice.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { fieldOf, orders } from '../../support/graphql/entities.ts'
import { isSorted, type Row, type Sorting } from '../../support/graphql/oracle.ts'
import { atAnyCost, startService, type TestService, type TestTenant } from '../../support/service.ts'
import { insertOrders } from './many-orders.ts'

const count = 100_000
/** Of the walks past HTTP. */
const limit = 983
const fewestPages = 101

onEachDatabase('A connection of 100 000 orders', (database) => {
  let service: TestService
  let tenant: TestTenant
  let opened: Database
  before(async () => {
    service = await startService(database, {}, atAnyCost)
    tenant = await service.newTenant()
    await insertOrders(service, tenant.id, count)
    const { shared } = await service.service.operator()
    opened = shared.catalogueDatabase
  })
  after(() => service.stop())

  const sortings: Sorting[][] = [
    [],
    [{ currency: 'ASC', total: 'DESC' }],
    [{ currency: 'DESC' }, { status: 'ASC' }],
  ]
  for (const sorting of sortings) {
    it(`is walked forward and backward by ${JSON.stringify(sorting)}`, async () => {
      const data = new TenantData(tenant.id, opened.executor, opened)
      const order = sortKeysOf(sorting)
      const forward = await readAllPages(data, order, false)
      assert.equal(forward.length, count)
      assert.equal(new Set(forward.map(({ id }) => id)).size, count)
      assert.ok(isSorted(orders, forward, sorting))
      const backward = await readAllPages(data, order, true)
      assert.deepEqual(
        backward.map(({ id }) => id),
        forward.map(({ id }) => id),
      )
    })
  }

  it('pages by the index when no order is asked for, however deep', async () => {
    const { executor } = opened
    const statements: { sql: string; parameters: readonly unknown[] }[] = []
    const data = new TenantData(tenant.id, {
      dialect: executor.dialect,
      run: (sql, parameters, reusable) => {
        statements.push({ sql, parameters })
        return executor.run(sql, parameters, reusable)
      },
    })
    const page = {
      entity: orders,
      selections: [selectionOf('id')],
      filter: everything,
      order: sortKeysOf([]),
      limit: 51,
    }
    const place = ['80000000-0000-7000-8000-000000000000']
    await readSlice(data, { ...page, after: place, before: null, backward: false })
    await readSlice(data, { ...page, after: null, before: place, backward: true })
    assert.equal(statements.length, 2)
    const explain = database === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
    for (const { sql, parameters } of statements) {
      const { rows } = await executor.run(`${explain} ${sql}`, parameters, false)
      const plan = rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n')
      assert.doesNotMatch(plan, /sort|temp b-tree|seq scan/i, plan)
      const seek =
        database === 'sqlite' ? /SEARCH .* \(tenant_id=\? AND id[<>]\?\)/ : /Index Cond: .*\bid [<>] /
      assert.match(plan, seek, plan)
    }
  })

  describe('over HTTP', () => {
    const some = Array.from({ length: 3 }, (_each, place) => `"customer-${place}"`)
    const nulls = `order: [{ currency: DESC }, { total: ASC }], where: { customerId: { in: [${some}] } }`
    for (const [title, args, most] of [
      ['all of it', '', 2000],
      ['7500 of three customers, by a key that is often null', nulls, 150],
    ] as const) {
      it(`gives ${title}, and back to the first`, async () => {
        const { ids, lastPage } = await walkForward(tenant, args, most)
        assert.equal(ids.length, most * 50)
        assert.equal(new Set(ids).size, ids.length)
        assert.deepEqual(await walkBackward(tenant, args, lastPage), ids.slice(0, -50))
      })
    }
  })
})

function sortKeysOf(sorting: readonly Sorting[]): SortKey[] {
  const keys = sorting.flatMap((each) =>
    Object.entries(each).map(([name, direction]) => ({
      path: [],
      field: fieldOf(orders, name),
      descending: direction === 'DESC',
    })),
  )
  return totalOrder(orders, keys)
}

function selectionOf(...names: string[]): Selection {
  return names.map((name) => ({ kind: 'field', as: name, field: fieldOf(orders, name) }))
}

/**
 * By pages larger than clients may ask for, and behind cursors like theirs.
 * @returns all rows, in their order whichever way they were read
 */
async function readAllPages(data: TenantData, order: SortKey[], backward: boolean): Promise<Row[]> {
  const selections = [selectionOf('id', 'currency', 'status', 'total')]
  const pages: Row[][] = []
  let cursor: string | null = null
  for (let more = true; more; ) {
    const edge: KeysetPosition | null = cursor === null ? null : decodeCursor(orders, order, cursor)
    const ends = backward ? { after: null, before: edge } : { after: edge, before: null }
    const request = { entity: orders, selections, filter: everything, order, limit, backward, ...ends }
    const page = await readSlice(data, request)
    pages.push(page.map(({ json }) => JSON.parse(json[0] ?? '')))
    cursor = encodeRowCursor(orders, order, page.at(-1)?.position ?? [])
    more = page.length === limit
  }
  assert.ok(pages.length >= fewestPages)
  return backward ? pages.flat().reverse() : pages.flat()
}

interface Connection {
  nodes: { id: string }[]
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string }
}

async function pageOf(
  { user }: TestTenant,
  args: string,
  place: string,
  cursor: string | null,
): Promise<Connection> {
  const query = `query ($cursor: String) { orders(${args} ${place}: $cursor) {
    nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  } }`
  const { body } = await user.post('/graphql', { query, variables: { cursor } })
  assert.equal(body.errors, undefined, JSON.stringify(body.errors))
  return body.data.orders
}

async function walkForward(tenant: TestTenant, args: string, most: number) {
  const ids: string[] = []
  let cursor: string | null = null
  let lastPage = ''
  for (let page = 1; page <= most; page++) {
    const { nodes, pageInfo }: Connection = await pageOf(tenant, `${args} first: 50`, 'after', cursor)
    ids.push(...nodes.map(({ id }) => id))
    assert.equal(pageInfo.hasPreviousPage, page > 1)
    assert.equal(pageInfo.hasNextPage, page < most)
    cursor = pageInfo.endCursor
    lastPage = pageInfo.startCursor
  }
  return { ids, lastPage }
}

/** @returns what is before the cursor, page by page from the end */
async function walkBackward(tenant: TestTenant, args: string, from: string): Promise<string[]> {
  const pages: string[][] = []
  let cursor = from
  for (let more = true; more; ) {
    const { nodes, pageInfo } = await pageOf(tenant, `${args} last: 50`, 'before', cursor)
    pages.unshift(nodes.map(({ id }) => id))
    assert.equal(pageInfo.hasNextPage, true)
    cursor = pageInfo.startCursor
    more = pageInfo.hasPreviousPage
  }
  return pages.flat()
}

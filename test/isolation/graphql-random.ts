/** Random filters, orders, ids and cursors with values of two tenants: each sees its own rows only. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc, { type Arbitrary } from 'fast-check'
import type { Client } from '../support/client.ts'
import { type DatabaseName, onEitherDatabase } from '../support/databases.ts'
import { type AnyRequest, anyRequest } from '../support/graphql/any-request.ts'
import { type Assortment, readAssortment } from '../support/graphql/assortment.ts'
import { orders, products } from '../support/graphql/entities.ts'
import { isSorted, type Row, select } from '../support/graphql/oracle.ts'
import { newProduct, orderOf, type Product } from '../support/orders.ts'
import { atAnyCost, startService, type TestService } from '../support/service.ts'

/** Requests in progress at the same time: each makes three scans, and sixteen of a tenant may wait. */
const width = 5
const ordersOfEach = 8

interface Side {
  user: Client
  rows: Assortment
  /** Of everything that it has. */
  ids: string[]
}

interface Asked {
  /** Who asks. */
  by: number
  product: AnyRequest
  order: AnyRequest
  /** A cursor of one of the tenants, after so many of its orders. */
  cursorOf: number
  depth: number
  size: number
  backward: boolean
  productId: string
  orderId: string
}

/** Declares the tests. @param runs on each database */
export function keepApart(runs: number): void {
  onEitherDatabase('Two tenants who ask for the rows of both', (database) => randomSuite(database, runs))
}

function randomSuite(database: DatabaseName, runs: number): void {
  let service: TestService
  let sides: [Side, Side]
  before(async () => {
    service = await startService(database, {}, atAnyCost)
    sides = [await newSide(service), await newSide(service)]
  })
  after(() => service.stop())

  it('are each answered with their own', () => {
    const several = fc.array(anyAsked(sides), { minLength: width, maxLength: width })
    const all = fc.asyncProperty(several, async (asked) => {
      await Promise.all(asked.map((each) => assertOwn(sides, each)))
    })
    return fc.assert(all, { numRuns: runs / width })
  })
}

/** Every name of a row is one of either tenant. */
function anyAsked(sides: readonly [Side, Side]): Arbitrary<Asked> {
  const [everyProduct, everyOrder] = [both(sides, 'products'), both(sides, 'orders')]
  return fc.record({
    by: fc.nat(1),
    product: anyRequest(products, everyProduct),
    order: anyRequest(orders, everyOrder),
    cursorOf: fc.nat(1),
    depth: fc.nat(ordersOfEach - 1),
    size: fc.integer({ min: 1, max: ordersOfEach + 1 }),
    backward: fc.boolean(),
    productId: fc.constantFrom(...everyProduct.map(idOf)),
    orderId: fc.constantFrom(...everyOrder.map(idOf)),
  })
}

async function assertOwn(sides: readonly [Side, Side], asked: Asked): Promise<void> {
  const [side, other] = asked.by === 0 ? sides : [sides[1], sides[0]]
  const from = sides[asked.cursorOf] ?? side
  const { row, cursor } = await placeIn(from, asked)
  const data = await askBoth(side, other, asked, cursor)
  const { rows } = side
  const behind = select(orders, rows.orders, asked.order.where, asked.order.order).filter((order) =>
    isSorted(orders, asked.backward ? [order, row] : [row, order], asked.order.order),
  )
  const page = asked.backward ? behind.slice(-asked.size) : behind.slice(0, asked.size)
  assert.deepEqual(data, {
    products: select(products, rows.products, asked.product.where, asked.product.order).map((product) => ({
      id: product['id'],
      category: referenceTo(product['category']),
    })),
    orders: {
      totalCount: select(orders, rows.orders, asked.order.where, []).length,
      nodes: page.map(({ id, items }) => ({
        id,
        items: (items as Row[]).map(({ productId, product }) => ({
          productId,
          product: referenceTo(product),
        })), // of an order
      })),
    },
    product: referenceTo(rows.products.find(({ id }) => id === asked.productId)),
    order: referenceTo(rows.orders.find(({ id }) => id === asked.orderId)),
  })
}

const document = (page: string) => `query (
  $productWhere: ProductFilterInput, $productOrder: [ProductSortInput!], $productId: UUID!, $orderId: UUID!
  $orderWhere: OrderFilterInput, $orderOrder: [OrderSortInput!], $size: Int, $cursor: String
) {
  products(where: $productWhere, order: $productOrder) { id category { id } }
  orders(where: $orderWhere, order: $orderOrder, ${page}) {
    totalCount nodes { id items { productId product { id } } }
  }
  product(id: $productId) { id }
  order(id: $orderId) { id }
}`
const forward = document('first: $size, after: $cursor')
const backward = document('last: $size, before: $cursor')

async function askBoth(side: Side, other: Side, asked: Asked, cursor: string): Promise<unknown> {
  const { product, order, productId, orderId, size } = asked
  const variables = {
    productWhere: product.where,
    productOrder: product.order,
    productId,
    orderId,
    orderWhere: order.where,
    orderOrder: order.order,
    size,
    cursor,
  }
  const query = asked.backward ? backward : forward
  const { body, text } = await side.user.post('/graphql', { query, variables })
  assert.deepEqual(
    other.ids.filter((id) => text.includes(id)),
    [],
    text,
  )
  assert.equal(body.errors, undefined, text)
  return body.data
}

/** A cursor as its owner gets it, and the row that it points to. */
async function placeIn({ user, rows }: Side, { order: { order }, depth }: Asked) {
  const query = 'query ($order: [OrderSortInput!]) { orders(order: $order) { edges { cursor node { id } } } }'
  const { body, text } = await user.post('/graphql', { query, variables: { order } })
  const edges: { cursor: string; node: { id: string } }[] = body.data?.orders.edges ?? []
  const edge = edges[depth]
  const row = rows.orders.find(({ id }) => id === edge?.node.id)
  assert.ok(edge !== undefined && row !== undefined, text)
  return { cursor: edge.cursor, row }
}

async function newSide(service: TestService): Promise<Side> {
  const { user } = await service.newTenant()
  const categoryIds: string[] = []
  for (const name of ['a', 'b']) categoryIds.push((await user.post('/api/categories', { name })).body.id)
  const made: Product[] = []
  for (const [place, name] of ['a', 'ab', 'A', 'z', '😀', 'a'].entries()) {
    made.push(await newProduct(user, { name, price: place, categoryId: categoryIds[place % 3] ?? null }))
  }
  for (let place = 0; place < ordersOfEach; place++) {
    const items = made
      .slice(place % 4, (place % 4) + 2)
      .map((product): [{ id: string }, number] => [product, 1])
    const currency = ['EUR', null][place % 2]
    const order = orderOf(items, { customerId: `customer-${place % 3}`, currency })
    assert.equal((await user.post('/api/orders', order)).status, 201)
  }
  const rows = await readAssortment(user)
  return { user, rows, ids: [...categoryIds, ...rows.products.map(idOf), ...rows.orders.map(idOf)] }
}

function both([one, other]: readonly [Side, Side], name: keyof Assortment): Row[] {
  return [...one.rows[name], ...other.rows[name]]
}

function idOf({ id }: Row): string {
  return String(id)
}

/** Its id alone. */
function referenceTo(row: Row[string] | undefined): { id: string } | null {
  return row === null || row === undefined ? null : { id: idOf(row as Row) } // no cell
}

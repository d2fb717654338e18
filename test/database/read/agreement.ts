/** Random filters and orders compared with an oracle in memory, on both databases. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc, { type Arbitrary } from 'fast-check'
import {
  astFromValue,
  type FieldNode,
  isInputType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
} from 'graphql'
import { orderOf } from '../../../src/api/graphql/argument/order.ts'
import { filterOf } from '../../../src/api/graphql/argument/where.ts'
import { TenantData } from '../../../src/database/data.ts'
import { readList } from '../../../src/database/read/list.ts'
import type { ReadModel } from '../../../src/database/read/read-model.ts'
import type { Selection } from '../../../src/database/read/selection.ts'
import { StillClock } from '../../support/clock.ts'
import { type DatabaseName, onEachDatabase } from '../../support/databases.ts'
import { type AnyRequest, anyRequest } from '../../support/graphql/any-request.ts'
import { type Assortment, newAssortment } from '../../support/graphql/assortment.ts'
import { orders, products, schema } from '../../support/graphql/entities.ts'
import { type Row, select } from '../../support/graphql/oracle.ts'
import { runSeed } from '../../support/run/extent.ts'
import { atAnyCost, startService, type TestService, type TestTenant } from '../../support/service.ts'

export interface Counts {
  /** Read from the database, for products and for orders each. */
  read: number
  /** Over HTTP, likewise. */
  asked: number
}

/** Requests in progress at the same time. */
const width = 10

/** Declares the tests. */
export function agreeWithOracle(counts: Record<DatabaseName, Counts>): void {
  onEachDatabase('A filter with an order', (database) => agreementSuite(database, counts[database]))
}

function agreementSuite(database: DatabaseName, { read, asked }: Counts): void {
  const clock = new StillClock()
  let service: TestService
  let tenant: TestTenant
  let rows: Assortment
  let data: TenantData
  before(async () => {
    service = await startService(database, {}, { ...atAnyCost, clock: clock.now })
    tenant = await service.newTenant()
    rows = await newAssortment(tenant.user, clock)
    const { shared } = await service.service.operator()
    data = new TenantData(tenant.id, shared.catalogueDatabase.executor)
  })
  after(() => service.stop())

  const expected = (entity: ReadModel, of: readonly Row[], { where, order }: AnyRequest) =>
    select(entity, of, where, order).map(({ id }) => id)

  /** With the rows of its relations. */
  const wanted = (entity: ReadModel, of: readonly Row[], { where, order }: AnyRequest) =>
    select(entity, of, where, order).map((row) => nestedIdsOf(entity, row))

  it('finds the products that the oracle finds, in its order', () =>
    agree(anyRequest(products, rows.products), read, async (request) =>
      assert.deepEqual(await readRows(data, products, request), wanted(products, rows.products, request)),
    ))

  it('finds the orders that the oracle finds, in its order', () =>
    agree(anyRequest(orders, rows.orders), read, async (request) =>
      assert.deepEqual(await readRows(data, orders, request), wanted(orders, rows.orders, request)),
    ))

  it('means the same as a literal and as a variable, over HTTP', () =>
    agree(anyRequest(products, rows.products), asked, async (request) => {
      const { where, order } = request
      const text = `query ($order: [ProductSortInput!]) { products(where: ${filterLiteral(where)}, order: $order) { id } }`
      const asVariable =
        'query ($where: ProductFilterInput, $order: [ProductSortInput!]) { products(where: $where, order: $order) { id } }'
      const ids = expected(products, rows.products, request)
      for (const [query, variables] of [
        [text, { order }],
        [asVariable, { where, order }],
      ]) {
        const { body } = await tenant.user.post('/graphql', { query, variables })
        assert.deepEqual(
          body.data?.products.map(({ id }: { id: string }) => id),
          ids,
          JSON.stringify(body.errors),
        )
      }
    }))

  it('finds orders over HTTP as the oracle does', () =>
    agree(anyRequest(orders, rows.orders), asked, async (request) => {
      const { where, order } = request
      const query = `query ($where: OrderFilterInput, $order: [OrderSortInput!]) {
        orders(where: $where, order: $order, first: 50) { totalCount nodes { id } }
      }`
      const ids = expected(orders, rows.orders, request)
      const { body } = await tenant.user.post('/graphql', { query, variables: { where, order } })
      const nodes = ids.slice(0, 50).map((id) => ({ id }))
      assert.deepEqual(body, { data: { orders: { totalCount: ids.length, nodes } } })
    }))
}

/** Runs many at once, because most of the time is waiting. */
function agree(
  request: Arbitrary<AnyRequest>,
  count: number,
  check: (request: AnyRequest) => Promise<void>,
): Promise<void> {
  const several = fc.array(request, { minLength: width, maxLength: width })
  const all = fc.asyncProperty(several, async (requests) => {
    await Promise.all(requests.map(check))
  })
  return fc.assert(all, { numRuns: count / width, seed: runSeed })
}

const orderNode = nodeWithOrder()

async function readRows(
  data: TenantData,
  entity: ReadModel,
  { where, order }: AnyRequest,
): Promise<unknown[]> {
  const { chunks } = await readList(data, {
    entity,
    selection: idsIn(entity),
    filter: filterOf(entity, where),
    order: orderOf(entity, orderNode, { order }),
    limit: 10_000,
  })
  return JSON.parse(`[${chunks.join()}]`)
}

/** The ids of a row, and of the rows that its relations lead to. */
function idsIn({ fields, relations }: ReadModel): Selection {
  const ids = [...fields.values()].filter(({ kind }) => kind === 'uuid')
  return [
    ...ids.map((field) => ({ kind: 'field', as: field.name, field }) as const),
    ...[...relations.values()]
      .filter(({ isPaged }) => isPaged !== true)
      .map(
        (relation) =>
          ({ kind: 'relation', as: relation.name, relation, selection: idsIn(relation.entity) }) as const,
      ),
  ]
}

/** The same for a row in memory. */
function nestedIdsOf(entity: ReadModel, row: Row): object {
  const members = idsIn(entity).map((selected) => {
    const value = row[selected.as]
    if (selected.kind !== 'relation' || value === null) return [selected.as, value]
    const of = (each: unknown) => nestedIdsOf(selected.relation.entity, each as Row) // a row of the relation
    return [selected.as, Array.isArray(value) ? value.map(of) : of(value)]
  })
  return Object.fromEntries(members)
}

function nodeWithOrder(): FieldNode {
  const [operation] = parse('query ($order: Any) { rows(order: $order) }').definitions
  const [field] = (operation as OperationDefinitionNode).selectionSet.selections
  assert.equal(field?.kind, Kind.FIELD)
  return field as FieldNode
}

function filterLiteral(where: AnyRequest['where']): string {
  const type = schema.getType('ProductFilterInput')
  assert.ok(isInputType(type))
  const node = astFromValue(where, type)
  return node === null || node === undefined ? 'null' : print(node)
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type FieldNode, getArgumentValues, Kind, type OperationTypeNode, parse } from 'graphql'
import { argumentReader } from '../../../../src/api/graphql/argument/arguments.ts'
import { createApi } from '../../../../src/api/graphql/schema/schema.ts'
import { category } from '../../../../src/catalog/category.ts'
import { product } from '../../../../src/catalog/product/product.ts'
import { orderGraphQL } from '../../../../src/orders/graphql.ts'
import { runSeed } from '../../../support/run/extent.ts'

const { schema } = createApi([category.graphql, product.graphql, orderGraphQL])
const id = '01990000-0000-7000-8000-00000000000a'

const places = [
  'query { products { id } }',
  'query { products(where: $where) { id } }',
  'query { products(order: $order, where: $where) { id } }',
  'query { products(order: [{ price: DESC }], where: $where) { id } }',
  'query { products(where: { price: { gte: $size } }) { id } }',
  'query { products(where: { price: { gte: $size, lt: 10 }, name: { in: ["a", $id, $after] } }) { id } }',
  'query { products(where: { or: [{ price: { gt: $size } }, $where, { isActive: { eq: true } }] }) { id } }',
  'query { products(order: [$order, { name: ASC }]) { id } }',
  'query { products(where: { price: $where }, order: { price: $id }) { id } }',
  'query { products(where: null) { id } }',
  'mutation { createProduct(input: { name: $id, price: $size }) { id } }',
  'mutation { createProduct(input: { name: "A", price: $size, description: $after }) { id } }',
  'query { product(id: $id) { id } }',
  `query { product(id: "${id}") { id } }`,
  'query { orders(where: $where, first: $size, after: $after) { totalCount } }',
  'query { orders(first: $toString) { totalCount } }',
  'mutation { updateProduct(id: $id, input: $where) { id } }',
].map(firstField)

/** As they were read by their types: the names are those of the document, and of what every object has. */
const variables = fc.dictionary(
  fc.constantFrom('where', 'order', 'id', 'size', 'after', 'toString', 'unknown'),
  fc.constantFrom<unknown>(null, id, 3, { price: { gte: 1 } }, [{ price: 'DESC' }]),
)

describe('Arguments', () => {
  it('are read as the library reads them', () => {
    fc.assert(
      fc.property(fc.constantFrom(...places), variables, ({ definition, node }, given) => {
        const expected = outcome(() => getArgumentValues(definition, node, given))
        assert.deepEqual(
          outcome(() => argumentReader(definition, node)(given)),
          expected,
        )
      }),
      { numRuns: 2000, seed: runSeed },
    )
  })
})

function outcome(read: () => Record<string, unknown>): unknown {
  try {
    return Object.entries(read())
  } catch (error) {
    return String(error)
  }
}

function firstField(text: string) {
  const [operation] = parse(text).definitions
  assert.ok(operation?.kind === Kind.OPERATION_DEFINITION)
  const node = operation.selectionSet.selections[0] as FieldNode // each has one
  const type = schema.getRootType(operation.operation as OperationTypeNode)
  const definition = type?.getFields()[node.name.value]
  assert.ok(definition)
  return { definition, node }
}

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { getVariableValues, Kind, parse } from 'graphql'
import { variableReader } from '../../../../src/api/graphql/argument/variables.ts'
import { createApi } from '../../../../src/api/graphql/schema/schema.ts'
import { category } from '../../../../src/catalog/category.ts'
import { product } from '../../../../src/catalog/product/product.ts'
import { orderGraphQL } from '../../../../src/orders/graphql.ts'
import { runSeed } from '../../../support/run/extent.ts'

const { schema } = createApi([category.graphql, product.graphql, orderGraphQL])
const [operation] = parse(`query (
  $where: ProductFilterInput, $of: OrderFilterInput, $order: [ProductSortInput!], $id: UUID!, $first: Int = 7
) { __typename }`).definitions
assert.ok(operation?.kind === Kind.OPERATION_DEFINITION)
const definitions = operation.variableDefinitions ?? []
const read = variableReader(schema, definitions)

const id = '01990000-0000-7000-8000-00000000000A'
const leaf = fc.constantFrom<unknown>(null, true, 3, 2.5, 'ASC', 'PAID', id, '2026-01-01T00:00:00Z', [], {})
const names =
  'and or id name price isActive category items status some any eq neq in gt contains number nothing __proto__'
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    { arbitrary: leaf, weight: 2 },
    { arbitrary: fc.array(tie('value'), { maxLength: 2 }), weight: 1 },
    {
      arbitrary: fc.dictionary(fc.constantFrom(...names.split(' ')), tie('value'), { maxKeys: 3 }),
      weight: 4,
    },
  ),
}))
const given = fc.record(
  { where: value, of: value, order: value, id: leaf, first: leaf },
  { requiredKeys: [] },
)
const plainlyRight = { id, first: 3 }

describe('Variables', () => {
  it('are read as the library reads them, or left to it', () => {
    let reached = 0
    const compare = (variables: Record<string, unknown>) => {
      const values = read(variables)
      if (values === undefined) return
      reached++
      const { coerced } = getVariableValues(schema, definitions, variables)
      assert.equal(JSON.stringify(values), JSON.stringify(coerced), 'also in their order')
    }
    fc.assert(fc.property(given, compare), { numRuns: 1000, seed: runSeed })
    const members = fc.constantFrom('where', 'of', 'order')
    const one = fc.tuple(members, value).map(([name, of]) => ({ ...plainlyRight, [name]: of }))
    fc.assert(fc.property(one, compare), { numRuns: 3000, seed: runSeed })
    assert.ok(reached > 200, `${reached} were read`)
  })

  it('are not left to the library when they are plainly right', () => {
    const where = {
      price: { lt: 9, gte: 1 },
      or: [{ name: { in: ['a', null] } }, { category: null }],
      id: { eq: id },
    }
    const order = [{ price: 'DESC', category: { name: 'ASC' } }]
    const values = read({ where, order, id, first: null })
    assert.deepEqual(values, {
      where: { ...where, id: { eq: id.toLowerCase() } },
      order,
      id: id.toLowerCase(),
      first: null,
    })
    assert.deepEqual(Object.keys(Object(values?.['where'])), ['or', 'id', 'price'])
  })
})

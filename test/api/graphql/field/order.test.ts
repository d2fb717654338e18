import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sharedService, type TestService, type TestTenant } from '../../../support/service.ts'

/** Sorted by the price first, these are another list than sorted by the name first. */
const rows = [
  { name: 'a', price: 1 },
  { name: 'b', price: 2 },
  { name: 'c', price: 2 },
  { name: 'a', price: 3 },
]
const byPriceThenName = ['a3', 'b2', 'c2', 'a1']
const byNameThenPrice = ['a3', 'a1', 'b2', 'c2']

const asked: Record<string, { query: string; variables?: object; expected: string[] }> = {
  'of an object': {
    query: '{ products(order: { price: DESC, name: ASC }) { name price } }',
    expected: byPriceThenName,
  },
  'of an object the other way round': {
    query: '{ products(order: { name: ASC, price: DESC }) { name price } }',
    expected: byNameThenPrice,
  },
  'of a list': {
    query: '{ products(order: [{ price: DESC }, { name: ASC }]) { name price } }',
    expected: byPriceThenName,
  },
  'of a variable': {
    query: 'query ($order: [ProductSortInput!]) { products(order: $order) { name price } }',
    variables: { order: { price: 'DESC', name: 'ASC' } },
    expected: byPriceThenName,
  },
  'of a variable in a literal': {
    query: 'query ($p: SortEnumType) { products(order: { price: $p, name: ASC }) { name price } }',
    variables: { p: 'DESC' },
    expected: byPriceThenName,
  },
  'of a variable that is left out, and has a default': {
    query:
      'query ($order: [ProductSortInput!] = { price: DESC, name: ASC }) { products(order: $order) { name price } }',
    expected: byPriceThenName,
  },
  'of a variable in a literal, with a default': {
    query:
      'query ($n: SortEnumType = ASC) { products(order: [{ name: $n }, { price: DESC }]) { name price } }',
    expected: byNameThenPrice,
  },
  'of what is not null': {
    query: '{ products(order: [{ isActive: null, name: ASC }, { price: DESC }]) { name price } }',
    expected: byNameThenPrice,
  },
}

describe('An order is that', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService('sqlite')
    tenant = await service.newTenant()
    for (const row of rows) await tenant.user.post('/api/products', row)
  })
  after(() => service.stop())

  for (const [what, { query, variables = {}, expected }] of Object.entries(asked)) {
    it(`${what}, as it is written`, async () => {
      const { body } = await tenant.user.post('/graphql', { query, variables })
      const found: { name: string; price: number }[] = body.data.products
      assert.deepEqual(
        found.map(({ name, price }) => `${name}${price}`),
        expected,
      )
    })
  }
})

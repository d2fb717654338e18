import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sharedService, type TestService } from '../../../support/service.ts'
import { committedSchema, schemaOf } from './schema-text.ts'

let service: TestService
before(async () => {
  service = await sharedService('sqlite')
})
after(() => service.stop())

describe('The GraphQL schema', () => {
  it('is the one that is committed', async () => {
    assert.equal(await schemaOf(service.anonymous), committedSchema(), 'run: npm run documents')
  })

  it('has the fields of the specification, with their arguments and types', () => {
    const text = committedSchema()
      .replaceAll(/"""[\s\S]*?"""\s*/g, '')
      .replaceAll(/\(\s+/g, '(')
    for (const field of [
      'products(where: ProductFilterInput, order: [ProductSortInput!]): [Product!]!',
      'product(id: UUID!): Product\n',
      'createProduct(input: CreateProductInput!): Product!',
      'updateProduct(id: UUID!, input: UpdateProductInput!): Product!',
      'onOrderCreated: Order!',
    ]) {
      assert.ok(text.includes(field), field)
    }
    assert.match(
      text,
      /orders\(where: OrderFilterInput\s+order: \[OrderSortInput!\]\s+first: Int\s+after: String\s+last: Int\s+before: String\s*\): OrderConnection!/,
    )
  })
})

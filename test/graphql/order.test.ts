import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEachDatabase } from '../harness/databases.ts'
import { startService, type TestService } from '../harness/service.ts'

onEachDatabase('An order of GraphQL', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database)
    for (const [name, price] of [
      ['b', 1],
      ['a', 2],
      ['a', 1],
    ]) {
      await service.host.post('/api/products', { name, price })
    }
  })
  after(() => service.stop())

  const sorted = async (query: string, variables?: Record<string, unknown>): Promise<string[]> => {
    const { body } = await service.host.post('/graphql', { query, variables })
    return body.data.products.map(({ name, price }: { name: string; price: number }) => `${name}${price}`)
  }
  const byVariable = 'query($order: [ProductSortInput!]) { products(order: $order) { name price } }'

  it('counts the fields of an object as they are written, in a literal and in a variable', async () => {
    const priceFirst = ['a1', 'b1', 'a2']
    assert.deepEqual(await sorted('{ products(order: {price: ASC, name: ASC}) { name price } }'), priceFirst)
    assert.deepEqual(await sorted(byVariable, { order: { price: 'ASC', name: 'ASC' } }), priceFirst)
    const nameFirst = ['a1', 'a2', 'b1']
    assert.deepEqual(await sorted('{ products(order: {name: ASC, price: ASC}) { name price } }'), nameFirst)
    assert.deepEqual(await sorted(byVariable, { order: [{ name: 'ASC' }, { price: 'ASC' }] }), nameFirst)
  })

  it('is that of the document where a variable is left out', async () => {
    const query =
      'query($order: [ProductSortInput!] = {price: DESC, name: DESC}) { products(order: $order) { name price } }'
    assert.deepEqual(await sorted(query), ['a2', 'b1', 'a1'])
    assert.deepEqual(await sorted(query, { order: { name: 'ASC', price: 'ASC' } }), ['a1', 'a2', 'b1'])
    assert.deepEqual(await sorted(query, { order: null }), ['b1', 'a2', 'a1'])
  })

  it('goes with a filter of hundreds of conditions', async () => {
    const where = { or: Array.from({ length: 900 }, (_, index) => ({ price: { eq: index / 100 } })) }
    const query = 'query($where: ProductFilterInput) { products(where: $where) { name price } }'
    assert.deepEqual(await sorted(query, { where }), ['b1', 'a2', 'a1'])
  })
})

import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onEachDatabase } from '../../../support/databases.ts'
import { startService } from '../../../support/service.ts'

onEachDatabase('A filter of hundreds of conditions', (database) => {
  it('is no deeper than the database takes', async () => {
    const service = await startService(database, { GRAPHQL_MAX_COST: '5000' })
    for (const price of [1, 2, 17]) await service.host.post('/api/products', { name: `p${price}`, price })
    const query = 'query($where: ProductFilterInput) { products(where: $where) { name } }'
    const filter = (word: string, operator: string) => ({
      [word]: Array.from({ length: 1100 }, (_, index) => ({ price: { [operator]: index / 100 } })),
    })
    const some = await service.host.post('/graphql', { query, variables: { where: filter('or', 'eq') } })
    assert.deepEqual(some.body, { data: { products: [{ name: 'p1' }, { name: 'p2' }] } })
    const all = await service.host.post('/graphql', { query, variables: { where: filter('and', 'neq') } })
    assert.deepEqual(all.body, { data: { products: [{ name: 'p17' }] } })
    await service.stop()
  })
})

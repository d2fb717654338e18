/** How long a read may search for rows: without a token a twentieth of what a user has. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { defaultCostPolicies } from '../../../src/core/limits/cost-limiter.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { insertProducts } from '../../support/product-rows.ts'
import { atAnyCost, startService, type TestService, type TestTenant } from '../../support/service.ts'

const count = 10_000
const long = 'a'.repeat(190)
/** Takes some 300 ms: three times what is allowed without a token, a seventh of what a user has. */
const words = Array.from({ length: 110 }, (_each, index) => `b${index}`)

onEitherDatabase('A filter that takes a third of a second', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    const { operationMs } = defaultCostPolicies
    const costPolicies = { ...atAnyCost.costPolicies, operationMs }
    service = await startService(database, {}, { costPolicies })
    tenant = await service.newTenant()
    const names = Array.from({ length: count }, (_each, index) => `${long}${index}`)
    await insertProducts(service, tenant.id, names)
  })
  after(() => service.stop())

  const query = 'query ($where: ProductFilterInput) { products(where: $where) { id } }'
  const where = { or: words.map((contains) => ({ name: { contains } })) }

  it('is given up where nobody is signed in', async () => {
    const headers = { 'x-tenant-id': tenant.id }
    const { body } = await service.anonymous.post('/graphql', { query, variables: { where } }, headers)
    assert.deepEqual(body.errors?.[0].extensions, { code: 'HC0045' }, JSON.stringify(body).slice(0, 300))
  })

  it('ends for a user', async () => {
    const { body } = await tenant.user.post('/graphql', { query, variables: { where } })
    assert.deepEqual(body, { data: { products: [] } })
  })
})

/** Allowed queries that are slow: they end, and other requests are served meanwhile. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from '../../support/database/inspect.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'

describe('On SQLite, a slow query', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService('sqlite')
    tenant = await service.newTenant()
    const desk = { name: 'Desk', price: 1, description: 'a'.repeat(1000) }
    assert.equal((await tenant.user.post('/api/products', desk)).status, 201)
    const products = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
      INSERT INTO product SELECT ${await columnsWithOwnId()} FROM product, n`
    await inspect(`sqlite:${service.dataDir}/tenantry.db`, products)
  })
  after(() => service.stop())

  async function columnsWithOwnId(): Promise<string> {
    const columns = await inspect(`sqlite:${service.dataDir}/tenantry.db`, 'PRAGMA table_info(product)')
    const own: Record<string, string> = {
      id: "printf('%08x-0000-7000-8000-%012x', i, i)",
      name: "'Desk ' || i",
    }
    return columns.map(({ name }) => own[String(name)] ?? String(name)).join(', ')
  }

  const ask = (query: string, variables: object = {}) =>
    service.anonymous.post('/graphql', { query, variables }, { 'x-tenant-id': tenant.id })

  it('a filter that takes too long is given up', async () => {
    const words = Array.from({ length: 180 }, (_each, index) => `b${index}`)
    const query = 'query ($where: ProductFilterInput) { products(where: $where) { id } }'
    const filters = [
      { or: words.map((contains) => ({ description: { contains } })) },
      { and: words.map((ncontains) => ({ description: { ncontains } })) },
    ]
    for (const where of filters) {
      const { body } = await ask(query, { where })
      assert.deepEqual(body.errors?.[0].extensions, { code: 'HC0045' }, JSON.stringify(body).slice(0, 300))
    }
    const { body } = await ask(query, { where: { name: { eq: 'Desk 7' } } })
    assert.equal(body.data.products.length, 1)
  })

  it('many slow fields let others in between', async () => {
    const fields = Array.from(
      { length: 15 },
      (_each, index) => `a${index}: products(where: {description: {contains: "b${index}"}}) { id }`,
    )
    let isOver = false
    const slow = tenant.user.post('/graphql', { query: `{ ${fields.join(' ')} }` }).finally(() => {
      isOver = true
    })
    let served = 0
    while (!isOver) {
      assert.equal((await service.anonymous.get('/health/live')).status, 200)
      served++
      await delay(5)
    }
    const { body } = await slow
    assert.deepEqual(body.data?.a14, [], JSON.stringify(body).slice(0, 300))
    assert.ok(served > 3, `${served} others were served`)
  })
})

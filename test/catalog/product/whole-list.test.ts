/** A list without a limit is one streamed array. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { walkPages } from '../../support/pages.ts'
import { insertProducts } from '../../support/product-rows.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'

/** Rows of one chunk of the stream. */
const chunk = 500
/** Of many chunks. */
const long = 5000

onEitherDatabase('The whole list of products', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database)
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  it('is an empty array for a tenant without products', async () => {
    for (const path of ['/api/products', '/api/products/active', '/api/products/search/desk']) {
      assert.equal((await tenant.user.get(path)).text, '[]')
    }
  })

  for (const count of [chunk - 1, chunk, chunk + 1, 2 * chunk]) {
    it(`has ${count} rows where that is where chunks of it meet`, async () => {
      const { id, user } = await service.newTenant()
      const ids = await insertProducts(service, id, deskNames(count))
      assert.deepEqual(idsOf((await user.get('/api/products')).body), ids)
      assert.deepEqual(idsOf((await user.get('/api/products/search/desk')).body), ids)
      const active = ids.filter((_, index) => index % 2 === 0)
      assert.deepEqual(idsOf((await user.get('/api/products/active')).body), active)
    })
  }

  it(`of ${long} products is streamed, and the same as all its pages`, async () => {
    const ids = await insertProducts(service, tenant.id, deskNames(long))
    const whole = await tenant.user.get('/api/products')
    assert.equal(whole.status, 200)
    assert.equal(whole.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(whole.headers.get('content-length'), null)
    assert.equal(whole.headers.get('transfer-encoding'), 'chunked')
    assert.deepEqual(idsOf(whole.body), ids)
    const pages = await walkPages(tenant.user, '/api/products?limit=200')
    assert.equal(pages.length, long / 200)
    assert.equal(`[${pages.map(({ text }) => text.slice(1, -1)).join(',')}]`, whole.text)
  })

  it('is not held for a reader who goes away', async () => {
    const stop = new AbortController()
    const url = `${service.url}/api/products?tenant=${tenant.id}`
    const response = await fetch(url, { signal: stop.signal })
    const reader = response.body?.getReader()
    assert.ok((await reader?.read())?.value)
    stop.abort()
    assert.equal((await service.anonymous.get('/health/ready')).status, 200)
    assert.equal((await tenant.user.get('/api/products?limit=1')).body.length, 1)
  })
})

function deskNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `Desk ${index}`)
}

function idsOf(rows: { id: string }[]): string[] {
  return rows.map(({ id }) => id)
}

/** Access to products, and the order in which a request is checked. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Client } from '../../support/client.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError, comparable } from '../../support/error.ts'
import { sharedService, type TestService, type TestTenant } from '../../support/service.ts'

const unknownId = '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'

/** Everything but the public list, as [method, path, body]. */
const guarded: [string, string, unknown?][] = [
  ['GET', '/api/products/active'],
  ['GET', `/api/products/${unknownId}`],
  ['GET', '/api/products/search/desk'],
  ['POST', '/api/products', { name: 'Desk', price: 1 }],
  ['PUT', `/api/products/${unknownId}`, { name: 'Desk', price: 1 }],
  ['DELETE', `/api/products/${unknownId}`],
  ['GET', '/api/categories'],
  ['GET', `/api/categories/${unknownId}`],
  ['POST', '/api/categories', { name: 'Desks' }],
  ['PUT', `/api/categories/${unknownId}`, { name: 'Desks' }],
  ['DELETE', `/api/categories/${unknownId}`],
]

onEitherDatabase('Access to products and categories', (database) => {
  let service: TestService
  let tenant: TestTenant
  let other: TestTenant
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    other = await service.newTenant()
  })
  after(() => service.stop())

  for (const [method, path, body] of guarded) {
    it(`needs a token for ${method} ${path}`, async () => {
      for (const caller of [service.anonymous, service.anonymous.withToken('nonsense')]) {
        const answer = await caller.send(method, path, body)
        assertError(answer, 401)
        assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer\b/)
      }
    })
  }

  it('is refused to a scheme that is not Bearer', async () => {
    for (const authorization of ['Basic YTpi', 'Bearer', 'Bearer ', 'Token abc', '']) {
      assertError(await service.anonymous.get('/api/products/active', { authorization }), 401)
    }
  })

  it('needs no token for the list, but a token that comes along has to be good', async () => {
    const named = { 'x-tenant-id': tenant.id }
    const listed = await service.anonymous.get('/api/products', named)
    assert.equal(listed.status, 200)
    assert.deepEqual(listed.body, (await tenant.user.get('/api/products')).body)
    assertError(await service.anonymous.withToken('nonsense').get('/api/products', named), 401)
  })

  it('is for users and administrators alike', async () => {
    for (const caller of [tenant.user, tenant.admin]) {
      const { status, body } = await caller.post('/api/products', { name: 'Desk', price: 1 })
      assert.equal(status, 201)
      assert.equal((await caller.delete(`/api/products/${body.id}`)).status, 204)
    }
  })

  it('is refused to a token of another tenant, whatever the request', async () => {
    const stranger = other.admin.with({ 'x-tenant-id': tenant.id })
    for (const [method, path] of guarded) {
      assertError(await stranger.send(method, path, hasBody(method) ? '{' : undefined), 403)
    }
    assertError(await stranger.get('/api/products'), 403, 'The token does not belong to this tenant.')
  })

  it('judges the token first, then the permission, then the input, then the existence', async () => {
    const path = `/api/products/${unknownId}`
    const wrongTenant = { 'x-tenant-id': other.id }
    const put = (caller: Client, body: unknown, headers = {}) => caller.send('PUT', path, body, headers)
    assertError(await put(service.anonymous, '{', wrongTenant), 401)
    assertError(await put(tenant.user, '{', wrongTenant), 403)
    assertError(await put(tenant.user, '{'), 400)
    assertError(await put(tenant.user, { name: 'Desk', price: -1 }), 400)
    assertError(await put(tenant.user, { name: 'Desk', price: 1 }), 404)
    assertError(await tenant.user.put('/api/products/no-uuid', { name: 'Desk', price: -1 }), 400)
    assertError(await tenant.user.put('/api/products/no-uuid', { name: 'Desk', price: 1 }), 404)
    assertError(await put(service.anonymous, 'x'.repeat(2 ** 20 + 1)), 401)
    assertError(await service.anonymous.send('PUT', path, 'x', { 'content-type': 'text/plain' }), 401)
  })

  it('answers for a row of another tenant as for one that does not exist', async () => {
    const product = await other.user.post('/api/products', { name: 'Theirs', price: 1 })
    const category = await other.user.post('/api/categories', { name: 'Theirs' })
    for (const [collection, { body }] of Object.entries({ products: product, categories: category })) {
      for (const [method, change] of [['GET'], ['PUT', { name: 'Mine', price: 2 }], ['DELETE']] as const) {
        const [foreign, missing] = await Promise.all(
          [body.id, unknownId].map((id) => tenant.admin.send(method, `/api/${collection}/${id}`, change)),
        )
        assert.ok(foreign && missing)
        assertError(foreign, 404)
        assert.deepEqual(comparable(foreign), comparable(missing))
      }
    }
    const put = (categoryId: string) => tenant.user.post('/api/products', { name: 'A', price: 1, categoryId })
    assert.deepEqual(comparable(await put(category.body.id)), comparable(await put(unknownId)))
    assert.equal((await other.user.get(`/api/products/${product.body.id}`)).text, product.text)
    assert.equal((await other.user.get(`/api/categories/${category.body.id}`)).text, category.text)
  })

  for (const id of [
    '1',
    'abc',
    `${unknownId}0`,
    unknownId.slice(1),
    `{${unknownId}}`,
    '..%2f..%2fproducts',
  ]) {
    it(`does not find the id ${id}, which is no UUID`, async () => {
      for (const collection of ['products', 'categories']) {
        const path = `/api/${collection}/${id}`
        const missing = await tenant.user.get(path)
        assertError(missing, 404, 'Not found.')
        assertError(await tenant.user.put(path, { name: 'Desk', price: 1 }), 404)
        assertError(await tenant.user.delete(path), 404)
      }
    })
  }
})

function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PUT'
}

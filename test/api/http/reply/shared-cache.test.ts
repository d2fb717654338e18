/** Shared caches store no reply that depends on a tenant or a token. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Answer } from '../../../support/client.ts'
import { newProduct } from '../../../support/orders.ts'
import { person, startService, type TestService, type TestTenant } from '../../../support/service.ts'

const deciding = ['authorization', 'x-tenant-id', 'accept']

describe('A shared cache', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService('sqlite', { CORS_ORIGINS: 'https://app.example.com' })
    tenant = await service.newTenant({ subdomain: 'acme' })
    await newProduct(tenant.user)
  })
  after(() => service.stop())

  const directives = ({ headers }: Answer) => (headers.get('cache-control') ?? '').split(/,\s*/)
  const varies = ({ headers }: Answer) => (headers.get('vary') ?? '').toLowerCase().split(/,\s*/)

  const readers: [string, () => Promise<Answer>][] = [
    ['of a tenant by its header', () => service.anonymous.get('/api/products', { 'x-tenant-id': tenant.id })],
    ['of a tenant by the query', () => service.anonymous.get(`/api/products?tenant=${tenant.id}`)],
    [
      'of a tenant by its host',
      () => service.anonymous.get('/api/products', { 'x-forwarded-host': 'acme.localhost' }),
    ],
    ['of nobody in particular', () => service.anonymous.get('/api/products')],
    ['with a token', () => tenant.user.get('/api/products')],
    ['about whoever has the token', () => tenant.user.get('/api/auth/me')],
    ['that is an error', () => service.anonymous.get('/api/products', { 'x-tenant-id': 'nobody' })],
    ['that refuses a token', () => service.anonymous.withToken('bad').get('/api/products')],
    ['of GraphQL', () => tenant.user.get('/graphql?query=%7B__typename%7D')],
    [
      'for a browser of another origin',
      () => tenant.user.get('/api/products', { origin: 'https://app.example.com' }),
    ],
  ]
  for (const [what, ask] of readers) {
    it(`keeps no reply ${what}, and tells it from others`, async () => {
      const answer = await ask()
      assert.ok(directives(answer).includes('private'), String(answer.headers.get('cache-control')))
      assert.ok(!directives(answer).some((one) => /^(public|s-maxage|max-age)/.test(one)))
      for (const name of deciding)
        assert.ok(varies(answer).includes(name), String(answer.headers.get('vary')))
    })
  }

  it('keeps no 304 either', async () => {
    const { headers } = await tenant.user.get('/api/products')
    const answer = await tenant.user.get('/api/products', { 'if-none-match': headers.get('etag') ?? '' })
    assert.equal(answer.status, 304)
    assert.ok(directives(answer).includes('private'))
    for (const name of deciding) assert.ok(varies(answer).includes(name))
  })

  it('tells origins apart', async () => {
    const answer = await tenant.user.get('/api/products', { origin: 'https://app.example.com' })
    assert.ok(varies(answer).includes('origin'))
  })

  const commands: [string, () => Promise<Answer>][] = [
    ['tokens', () => service.anonymous.post('/api/auth/login', { userName: 'admin', password: 'Admin@123' })],
    [
      'no tokens',
      () => service.anonymous.post('/api/auth/login', { userName: 'admin', password: 'Wrong@123' }),
    ],
    [
      'a secret',
      () => tenant.user.post('/api/webhooks/subscriptions', { url: 'https://example.com/', events: ['*'] }),
    ],
    ['a user', () => tenant.admin.post('/api/users', person('late'))],
    ['rows of GraphQL', () => tenant.user.post('/graphql', { query: '{ products { name } }' })],
  ]
  for (const [what, ask] of commands) {
    it(`keeps no reply to a command, with ${what}, and neither does the client`, async () => {
      assert.deepEqual(directives(await ask()), ['no-store'])
    })
  }
})

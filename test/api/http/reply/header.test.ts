/** Headers of every reply, and request ids. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sharedService, startService, type TestService } from '../../../support/service.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('Every reply', () => {
  let service: TestService
  before(async () => {
    service = await sharedService('sqlite')
  })
  after(() => service.stop())

  for (const path of [
    '/api/products',
    '/api/init/status',
    '/health',
    '/ready',
    '/metrics',
    '/.well-known/jwks.json',
    '/.well-known/openid-configuration',
  ]) {
    it(`guards what it says at ${path}`, async () => {
      const { status, headers } = await service.anonymous.get(path)
      assert.equal(status, 200)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('x-frame-options'), 'DENY')
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'")
      assert.equal(headers.get('cache-control'), 'private, no-cache')
      assert.equal(headers.get('strict-transport-security'), null)
      assert.equal(headers.get('server'), null)
      assert.equal(headers.get('x-powered-by'), null)
    })
  }

  it('asks for https in production', async () => {
    const production = await startService('sqlite', { NODE_ENV: 'production', HOST: '127.0.0.1' })
    try {
      for (const path of ['/health', '/api/nothing', '/api/%zz']) {
        const { headers } = await production.anonymous.get(path)
        assert.match(headers.get('strict-transport-security') ?? '', /^max-age=\d{8};/, path)
      }
    } finally {
      await production.stop()
    }
  })

  it('carries an id of its own', async () => {
    const ids = await Promise.all(
      Array.from({ length: 50 }, async () =>
        (await service.anonymous.get('/health/live')).headers.get('x-request-id'),
      ),
    )
    assert.equal(new Set(ids).size, 50)
    for (const id of ids) assert.match(id ?? '', uuid)
  })

  for (const id of ['a', 'abc-123', '0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11', 'a.b_c:d', 'x'.repeat(100)]) {
    it(`keeps the id ${id.slice(0, 40)} that the caller has given`, async () => {
      for (const path of ['/health/live', '/api/nothing', '/api/products/active', '/api/%zz']) {
        const { headers } = await service.anonymous.get(path, { 'x-request-id': id })
        assert.equal(headers.get('x-request-id'), id)
      }
    })
  }

  for (const id of [
    '',
    'two words',
    'x'.repeat(101),
    '<script>',
    'a;b',
    'a"b',
    '{}',
    'a,b',
    'caf\u00e9',
    '../a',
    '$(a)',
  ]) {
    it(`has an id of our own instead of "${id.slice(0, 20)}", which could do harm in a log`, async () => {
      for (const path of ['/health/live', '/api/nothing', '/api/%zz']) {
        const { headers } = await service.anonymous.get(path, { 'x-request-id': id })
        assert.match(headers.get('x-request-id') ?? '', uuid)
      }
    })
  }
})

/** The origins whose pages may call the service. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertError } from '../../support/error.ts'
import { sharedService, startService, type TestService } from '../../support/service.ts'

const shop = 'https://shop.example.com'
const admin = 'https://admin.example.com:8443'

function preflight(service: TestService, origin: string, path = '/api/products/1', method = 'PUT') {
  return service.anonymous.send('OPTIONS', path, undefined, {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type,if-match,idempotency-key,x-tenant-id',
  })
}

describe('Calls from pages of a configured origin', () => {
  let service: TestService
  before(async () => {
    service = await startService('sqlite', { CORS_ORIGINS: `${shop}, ${admin}` })
  })
  after(() => service.stop())

  for (const origin of [shop, admin]) {
    it(`are announced and allowed for ${origin}`, async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers, text } = await preflight(service, origin, '/api/products/1', method)
        assert.deepEqual([status, text], [204, ''])
        assert.equal(headers.get('access-control-allow-origin'), origin)
        assert.ok(headers.get('access-control-allow-methods')?.split(', ').includes(method))
        assert.match(
          headers.get('access-control-allow-headers') ?? '',
          /authorization.*if-match.*x-tenant-id/,
        )
        assert.equal(headers.get('access-control-max-age'), '600')
        assert.equal(headers.get('access-control-allow-credentials'), null)
        assert.match(headers.get('vary') ?? '', /origin/i)
      }
    })

    it(`show their replies, errors too, to ${origin}`, async () => {
      const answers = [
        await service.host.get('/api/products', { origin }),
        await service.anonymous.get('/api/products/active', { origin }),
        await service.host.get('/api/nothing', { origin }),
        await service.host.post('/api/products', { price: -1 }, { origin }),
      ]
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 401, 404, 400],
      )
      for (const { headers } of answers) {
        assert.equal(headers.get('access-control-allow-origin'), origin)
        const exposed = headers.get('access-control-expose-headers')?.split(', ') ?? []
        for (const name of [
          'allow',
          'etag',
          'last-modified',
          'link',
          'location',
          'retry-after',
          'www-authenticate',
          'x-request-id',
          'idempotency-replayed',
        ]) {
          assert.ok(exposed.includes(name), name)
        }
        assert.match(headers.get('vary') ?? '', /origin/i)
      }
    })
  }

  for (const origin of [
    'https://evil.example.com',
    'http://shop.example.com',
    `${shop}.evil.com`,
    'null',
    shop.toUpperCase(),
  ]) {
    it(`are not for ${origin}`, async () => {
      const announced = await preflight(service, origin)
      assert.equal(announced.headers.get('access-control-allow-origin'), null)
      const answer = await service.host.get('/api/products', { origin })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
      assert.match(answer.headers.get('vary') ?? '', /origin/i)
    })
  }

  it('change nothing for addresses and methods that do not exist', async () => {
    assertError(await service.host.get('/api/nothing', { origin: shop }), 404)
    const answer = await service.host.send('PATCH', '/api/products', undefined, { origin: shop })
    assertError(answer, 405)
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST, OPTIONS')
  })
})

describe('Calls from pages', () => {
  it('of any origin are allowed by *', async () => {
    const service = await startService('sqlite', { CORS_ORIGINS: '*' })
    try {
      const announced = await preflight(service, 'https://any.example.com')
      assert.equal(announced.status, 204)
      assert.equal(announced.headers.get('access-control-allow-origin'), '*')
      const answer = await service.anonymous.get('/api/products', { origin: 'https://any.example.com' })
      assert.equal(answer.headers.get('access-control-allow-origin'), '*')
      assert.equal(answer.headers.get('access-control-allow-credentials'), null)
    } finally {
      await service.stop()
    }
  })

  it('of another origin are not allowed at all unless configured', async () => {
    const service = await sharedService('sqlite')
    try {
      const announced = await preflight(service, shop)
      assert.equal(announced.status, 204)
      const answer = await service.anonymous.get('/api/products', { origin: shop })
      for (const { headers } of [announced, answer]) {
        assert.deepEqual(
          [...headers.keys()].filter((name) => name.startsWith('access-control')),
          [],
        )
      }
    } finally {
      await service.stop()
    }
  })
})

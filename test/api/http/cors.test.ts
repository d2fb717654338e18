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

  it('show every header that the document of the API describes', async () => {
    const document = (await service.anonymous.get('/swagger/v1/swagger.json')).body
    const described = new Set(Object.keys(document.components.headers))
    for (const operations of Object.values<Record<string, { responses?: object }>>(document.paths))
      for (const { responses = {} } of Object.values(operations))
        for (const { headers = {} } of Object.values<{ headers?: object }>(
          responses as Record<string, object>,
        ))
          for (const name of Object.keys(headers)) described.add(name)
    assert.ok(described.size > 10)
    const { headers } = await service.host.get('/api/products', { origin: shop })
    const exposed = headers.get('access-control-expose-headers')?.split(', ')
    assert.deepEqual(
      [...described].filter((name) => !exposed?.includes(name.toLowerCase())),
      [],
    )
  })

  it('show the headers of their own that replies have', async () => {
    const { body: file } = await service.host.post('/api/files?name=a.txt', 'text', {
      'content-type': 'text/plain',
    })
    const replies = [
      await service.host.get('/api/products?count=true', { origin: shop }),
      await service.host.get('/api/orders?count=true', { origin: shop }),
      await service.host.get(`/api/files/${file.id}`, { origin: shop, range: 'bytes=0-1' }),
      await service.anonymous.post('/api/auth/login', { userName: 'admin', password: 'x' }, { origin: shop }),
    ]
    // Readable anyway, not meant for pages, or of the connection (Fetch, section 4.9).
    const others =
      /^(cache-control|content-(length|type|security-policy)|vary|date|connection|keep-alive|access-control-.+|(x-content|x-frame|referrer|cross-origin|permissions|strict-transport|transfer)-.+)$/
    for (const { headers } of replies) {
      const exposed = headers.get('access-control-expose-headers')?.split(', ')
      const hidden = [...headers.keys()].filter((name) => !others.test(name) && !exposed?.includes(name))
      assert.deepEqual(hidden, [])
    }
    assert.notEqual(replies[0]?.headers.get('x-total-count'), null)
    assert.notEqual(replies[2]?.headers.get('content-range'), null)
  })

  for (const origin of ['https://evil.example.com', 'http://shop.example.com', `${shop}.evil.com`, 'null']) {
    it(`are not for ${origin}`, async () => {
      const announced = await preflight(service, origin)
      assert.equal(announced.headers.get('access-control-allow-origin'), null)
      const answer = await service.host.get('/api/products', { origin })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
      assert.match(answer.headers.get('vary') ?? '', /origin/i)
    })
  }

  it('are allowed to the same origin in another form, and to no other', async () => {
    const allowedTo = async (origin: string) => {
      const { headers } = await service.host.get('/api/products', { origin })
      assert.match(headers.get('vary') ?? '', /origin/i)
      const announced = (await preflight(service, origin)).headers.get('access-control-allow-origin')
      assert.equal(headers.get('access-control-allow-origin'), announced)
      return announced
    }
    for (const same of [
      `${shop}.`,
      `${shop}:443`,
      'https://SHOP.example.com',
      admin.replace('.com', '.com.'),
    ])
      assert.equal(await allowedTo(same), same)
    for (const other of [
      `${shop}.evil.example`,
      `${shop}:444`,
      shop.replace('https', 'http'),
      `${shop}..`,
      'null',
      'x',
    ])
      assert.equal(await allowedTo(other), null, other)
  })

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

/** Every refusal has the same shape, whether the service, its framework or Node.js makes it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertError } from '../../../support/error.ts'
import { sharedService, type TestService, uniqueName } from '../../../support/service.ts'

const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  vary: 'Authorization, X-Api-Key, X-Tenant-Id, Accept',
}

/** By what they are for: [status, method, path, body, headers]. */
const refusals: Record<string, [number, string, string, unknown?, Record<string, string>?]> = {
  'a faulty body': [400, 'POST', '/api/products', { price: -1 }],
  'a broken body': [400, 'POST', '/api/products', '{'],
  'a faulty query': [400, 'GET', '/api/products?limit=0'],
  'a broken address': [400, 'GET', '/api/products/%zz'],
  'a token that is none': [
    401,
    'GET',
    '/api/products/active',
    undefined,
    { authorization: 'Bearer nonsense' },
  ],
  'another tenant': [403, 'GET', '/api/products', undefined, { 'x-tenant-id': 'nobody' }],
  'an unknown route': [404, 'GET', '/api/nothing'],
  'an unknown row': [404, 'GET', '/api/products/0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'],
  'an unknown method': [405, 'PATCH', '/api/products'],
  'another version': [412, 'PUT', ':made', { name: 'A', price: 1 }, { 'if-match': '"v9"' }],
  'a body that is too large': [413, 'POST', '/api/products', 'x'.repeat(2 ** 20 + 1)],
  'a body that is no JSON': [415, 'POST', '/api/products', 'a=b', { 'content-type': 'text/plain' }],
  'a key used before': [422, 'POST', '/api/products', { name: 'B', price: 1 }, { 'idempotency-key': 'used' }],
}

describe('A refusal', () => {
  let service: TestService
  let made: string
  before(async () => {
    service = await sharedService('sqlite')
    const desk = { name: 'Desk', price: 1 }
    const { body } = await service.host.post('/api/products', desk, { 'idempotency-key': 'used' })
    made = `/api/products/${body.id}`
  })
  after(() => service.stop())

  const send = (
    [, method, path, body, headers]: (typeof refusals)[string],
    more: Record<string, string> = {},
  ) => service.host.send(method, path.replace(':made', made), body, { ...headers, ...more })

  for (const [title, request] of Object.entries(refusals)) {
    it(`for ${title} is ${request[0]} with a message, an id and the security headers`, async () => {
      const answer = await send(request)
      assertError(answer, request[0])
      for (const [name, value] of Object.entries(securityHeaders)) {
        assert.equal(answer.headers.get(name), value, name)
      }
      const kept = request[1] === 'GET' ? 'private, no-cache' : 'no-store'
      assert.equal(answer.headers.get('cache-control'), kept)
    })

    it(`for ${title} tells a client that asks for problem details the same`, async () => {
      const [status] = request
      const plain = await send(request)
      const answer = await send(request, { accept: 'application/problem+json, application/json;q=0.5' })
      assert.equal(answer.status, status)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
      const { type, title: kind, code, parameters = {}, detail, instance, errors = [], ...rest } = answer.body
      assert.deepEqual(rest, { status })
      assert.match(code, /^[a-z]+([A-Z][a-z]+)*$/)
      for (const value of Object.values(parameters)) assert.ok(detail.includes(`${value}`), detail)
      assert.equal(type, 'about:blank')
      assert.equal(detail, plain.body.message)
      assert.equal(instance, request[2].replace(':made', made))
      assert.ok(typeof kind === 'string' && kind !== '')
      for (const fault of errors) assert.match(fault.pointer, /^#\/\w+$/)
    })
  }

  it('tells programs by a code what is refused, with what the sentence names', async () => {
    const { user } = await service.newTenant()
    const headers = { accept: 'application/problem+json' }
    const told = async (path: string) => {
      const { code, parameters, detail } = (await user.get(path, headers)).body
      return { code, parameters, detail }
    }
    assert.deepEqual(await told('/api/roles'), {
      code: 'permissionLacking',
      parameters: { permission: 'role:read' },
      detail: 'This requires the permission role:read.',
    })
    assert.deepEqual(await told('/api/products/0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11'), {
      code: 'noSuch',
      parameters: { label: 'product' },
      detail: 'There is no such product.',
    })
    assert.deepEqual((await user.get('/api/roles')).body, {
      message: 'This requires the permission role:read.',
    })
    const { body } = await user.post('/graphql', {
      query: 'mutation { deleteProduct(id: "0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11") { id } }',
    })
    const [{ extensions }] = body.errors
    assert.deepEqual(extensions, {
      code: 'NOT_FOUND',
      refusal: { code: 'noSuch', parameters: { label: 'product' } },
    })
  })

  it('tells programs what is wrong with a field, and how much of it', async () => {
    const headers = { accept: 'application/problem+json' }
    const taken = { name: uniqueName('Taken'), price: 1 }
    const categories = [{ name: taken.name }, { name: taken.name }]
    const tenant = await service.newTenant()
    const [, again] = [
      await tenant.admin.post('/api/categories', categories[0], headers),
      await tenant.admin.post('/api/categories', categories[1], headers),
    ]
    assert.deepEqual(
      again.body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [['#/name', 'taken']],
    )
    const faulty = await tenant.admin.post('/api/products', { name: 'a', price: -1 }, headers)
    assert.deepEqual(faulty.body.errors, [
      { pointer: '#/price', detail: 'must be >= 0', code: 'tooSmall', parameters: { limit: 0 } },
    ])
  })

  it('is no problem details for a client that takes anything', async () => {
    for (const accept of ['*/*', 'application/*', 'text/html', '', 'application/json']) {
      assertError(await service.host.get('/api/nothing', { accept }), 404)
    }
  })

  it('is of the type that the client prefers, by quality and by the most specific range', async () => {
    const [json, problem] = ['application/json; charset=utf-8', 'application/problem+json; charset=utf-8']
    const expected: [accept: string, type: string][] = [
      ['application/problem+json', problem],
      ['application/problem+json; charset=utf-8', problem],
      ['APPLICATION/Problem+JSON', problem],
      ['application/problem+json, application/json', problem],
      ['application/problem+json, */*', problem],
      ['application/*, application/json;q=0.5', problem],
      ['*/*, application/json;q=0', problem],
      ['application/json;q=0.4, application/problem+json;q=0.5', problem],
      ['application/problem+json;q=0.5, application/json', json],
      [`application/problem+json, ${'text/x, '.repeat(200)}text/x`, json], // too long to be read
      ['application/problem+json;q=0.5, */*', json],
      ['application/problem+json;q=0', json],
      ['application/problem+json;q=0, text/html', json],
      ['application/problem+json;q=nonsense, application/json', json],
      ['application/problem+jsonish', json],
      ['text/html, x="application/problem+json"', json],
      ['application/json, application/problem+json;q=1', json],
      [',;=,q=1', json],
    ]
    for (const [accept, type] of expected) {
      const { headers } = await service.host.get('/api/nothing', { accept })
      assert.equal(headers.get('content-type'), type, accept)
    }
  })

  it('of a method says which there are', async () => {
    const expected: [string, string, string][] = [
      ['PATCH', '/api/products', 'GET, HEAD, POST, OPTIONS'],
      ['DELETE', '/api/products?limit=1', 'GET, HEAD, POST, OPTIONS'],
      ['POST', made, 'GET, HEAD, PATCH, DELETE, PUT, OPTIONS'],
      ['GET', '/api/auth/login', 'POST, OPTIONS'],
      ['GET', '/api/users/me/password', 'PUT, OPTIONS'],
      ['POST', '/health', 'GET, HEAD, OPTIONS'],
      ['PUT', '/api/products/search/desk', 'GET, HEAD, OPTIONS'],
    ]
    for (const [method, path, allow] of expected) {
      const answer = await service.anonymous.send(method, path)
      assertError(answer, 405, 'The method is not allowed at this address.')
      assert.equal(answer.headers.get('allow'), allow, `${method} ${path}`)
    }
  })

  it('of an address comes before everything that is wrong with the request', async () => {
    for (const path of [
      '/',
      '/api',
      '/api/product',
      '/api/products/a/b',
      '/API/products',
      '/api//products',
      '/x',
    ]) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        assertError(await service.anonymous.send(method, path), 404, 'There is nothing at this address.')
      }
      const broken = service.anonymous.withToken('nonsense').with({ 'x-tenant-id': 'nobody' })
      assertError(await broken.send('POST', path, '{'), 404)
      assertError(await broken.send('POST', path, 'x', { 'content-type': 'text/plain' }), 404)
      assertError(await broken.send('POST', path, 'x'.repeat(2 ** 20 + 1)), 404)
    }
    assertError(await service.anonymous.send('PATCH', '/api/products', '{'), 405)
  })

  it('of a HEAD has the status and the headers, and no body', async () => {
    const answer = await service.host.send('HEAD', '/api/products/0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11')
    assert.deepEqual([answer.status, answer.text], [404, ''])
    assert.ok(answer.headers.get('x-request-id'))
  })
})

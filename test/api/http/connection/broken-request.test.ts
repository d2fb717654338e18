/** Requests that no client library would send. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { assertError } from '../../../support/error.ts'
import { rawRequest, sendRaw } from '../../../support/http/raw-request.ts'
import { sharedService, startService, type TestService, type TestTenant } from '../../../support/service.ts'

const noHttp = 'The request is not valid HTTP.'

describe('Bytes on the socket', () => {
  let service: TestService
  let tenant: TestTenant
  let token: string
  before(async () => {
    service = await sharedService('sqlite')
    tenant = await service.newTenant()
    token = (await service.signIn('worker', tenant.id)).accessToken
  })
  after(() => service.stop())

  const send = (line: string, headers: string[], body?: string) =>
    sendRaw(service.url, rawRequest(line, headers, body))

  const own = () => ['Host: localhost', `Authorization: Bearer ${token}`]

  for (const [title, bytes] of Object.entries({
    words: 'hello there\r\n\r\n',
    'a TLS greeting': Buffer.from('160301020001000001fc0303', 'hex'),
    'a greeting of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'random bytes': Buffer.concat([Buffer.from([0xff]), randomBytes(200)]),
    'an unknown method': 'BREW /api/products HTTP/1.1\r\nHost: a\r\n\r\n',
    'an unknown version': 'GET /api/products HTTP/9.9\r\nHost: a\r\n\r\n',
    'an address that is not ASCII': 'GET /api/products\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n',
    'a header without a colon': 'GET /api/products HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n',
    'a header name with a blank': 'GET /api/products HTTP/1.1\r\nHost : a\r\n\r\n',
    'a null character in a header': 'GET /api/products HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n',
    'two lengths':
      'POST /api/products HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    'a length and chunks':
      'POST /api/products HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  })) {
    it(`that are ${title} are answered with an error like any other`, async () => {
      const answer = await sendRaw(service.url, bytes)
      assertError(answer, 400, noHttp)
      assert.equal(answer.headers.get('connection'), 'close')
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    })
  }

  it('with too many headers are told so', async () => {
    const large = 'The request headers are too large.'
    assertError(await send('GET /api/products', ['Host: a', `X-Large: ${'x'.repeat(17_000)}`]), 431, large)
    const many = Array.from({ length: 1500 }, (_, index) => `X-${index}: 12345`)
    assertError(await send('GET /api/products', ['Host: a', ...many]), 431, large)
    assertError(await send(`GET /api/products?a=${'x'.repeat(17_000)}`, ['Host: a']), 431, large)
    assert.equal((await send('GET /api/products', ['Host: a', `X-Large: ${'x'.repeat(15_000)}`])).status, 200)
  })

  it('name one host, which HTTP/1.0 may leave out', async () => {
    const unclear = 'There must be exactly one Host header.'
    assertError(await send('GET /api/products', []), 400, unclear)
    assertError(await send('GET /api/products', ['Host: a', 'host: b']), 400, unclear)
    const old = 'GET /api/products HTTP/1.0\r\n\r\n'
    assert.equal((await sendRaw(service.url, old)).status, 200)
  })

  it('that name the tenant twice name none', async () => {
    const twice = ['Host: a', `X-Tenant-Id: ${tenant.id}`, `X-Tenant-Id: ${tenant.id}`]
    assertError(await send('GET /api/products', twice), 404, 'There is no such tenant.')
    assertError(await send('GET /api/products', [...twice, `Authorization: Bearer ${token}`]), 403)
    assertError(await send(`GET /api/products?tenant=${tenant.id}&tenant=default`, ['Host: a']), 404)
  })

  it('with two tokens are judged by the first', async () => {
    const [host = '', authorization = ''] = own()
    const bad = 'Authorization: Bearer nonsense'
    assert.equal((await send('GET /api/products/active', [host, authorization, bad])).status, 200)
    assertError(await send('GET /api/products/active', [host, bad, authorization]), 401)
  })

  it('with two idempotency keys are refused', async () => {
    const body = '{"name":"Desk","price":1}'
    const headers = [...own(), 'Content-Type: application/json', `Content-Length: ${body.length}`]
    const keys = ['Idempotency-Key: one', 'Idempotency-Key: two']
    assertError(await send('POST /api/products', [...headers, ...keys], body), 400, /^Idempotency-Key: /)
  })

  it('with two conditions mean any of them', async () => {
    const { body } = await tenant.user.post('/api/products', { name: 'Desk', price: 1 })
    const conditions = ['If-None-Match: "v7"', 'If-None-Match: W/"v1"']
    assert.equal((await send(`GET /api/products/${body.id}`, [...own(), ...conditions])).status, 304)
  })

  it('cannot climb out of an address', async () => {
    for (const path of [
      '/api/products/../tenants',
      '/api/products/..%2ftenants',
      '/api/products/%2e%2e',
      '/../etc',
    ]) {
      assertError(await send(`GET ${path}`, own()), 404)
    }
  })

  it('may name the whole address, or only ask about the server', async () => {
    assert.equal((await send('GET http://elsewhere/api/products/active', own())).status, 200)
    assertError(await send('OPTIONS *', ['Host: a']), 404)
  })

  it('may expect what they like', async () => {
    assert.equal((await send('GET /api/products', ['Host: a', 'Expect: a-miracle'])).status, 200)
    assert.equal((await send('GET /api/products', ['Host: a', 'Upgrade: h2c'])).status, 200)
  })

  it('are forgotten when more of them never come', async () => {
    const patient = await startService('sqlite', { REQUEST_TIMEOUT_MS: '1000' })
    try {
      const answer = await sendRaw(patient.url, 'GET /api/products HTTP/1.1\r\nHost: a\r\n')
      assertError(answer, 408, 'The request took too long to arrive.')
    } finally {
      await patient.stop()
    }
  })
})

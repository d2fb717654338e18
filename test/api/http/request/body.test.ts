/** Bodies: size, type, and invalid JSON. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertError } from '../../../support/error.ts'
import { rawRequest, sendRaw } from '../../../support/http/raw-request.ts'
import { person, startService, type TestService } from '../../../support/service.ts'

const limit = 2 ** 20
const noJson = 'The body is not valid JSON.'
const wrongType = 'The request body must be application/json.'

describe('A body', () => {
  let service: TestService
  let token: string
  before(async () => {
    service = await startService('sqlite')
    token = (await service.signIn('admin')).accessToken
  })
  after(() => service.stop())

  const post = (body: unknown, headers?: Record<string, string>) =>
    service.host.post('/api/products', body, headers)

  /** A valid product of this many bytes. */
  const sized = (bytes: number) => {
    const product = { name: 'Desk', price: 1, more: '' }
    product.more = 'x'.repeat(bytes - JSON.stringify(product).length)
    return JSON.stringify(product)
  }

  it('may have 1 MiB and not a byte more', async () => {
    assert.equal((await post(sized(limit))).status, 201)
    assertError(await post(sized(limit + 1)), 413, 'The request body is too large.')
  })

  it('is measured also when it comes without a length', async () => {
    const chunked = (body: string) => {
      const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
      const headers = ['Host: a', `Authorization: Bearer ${token}`, 'Content-Type: application/json']
      return sendRaw(
        service.url,
        rawRequest('POST /api/products', [...headers, 'Transfer-Encoding: chunked'], chunk),
      )
    }
    assert.equal((await chunked(sized(limit))).status, 201)
    assertError(await chunked(sized(limit + 1)), 413)
  })

  it('has the limit that is configured', async () => {
    const small = await startService('sqlite', { BODY_LIMIT_BYTES: '2000' })
    try {
      assert.equal((await small.host.post('/api/products', sized(2000))).status, 201)
      assertError(await small.host.post('/api/products', sized(2001)), 413)
    } finally {
      await small.stop()
    }
  })

  it('is JSON, whatever its parameters say', async () => {
    const types = ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON;charset=UTF-8']
    for (const type of types) {
      assert.equal((await post({ name: 'Desk', price: 1 }, { 'content-type': type })).status, 201, type)
    }
  })

  for (const type of [
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/json, text/plain',
    'application',
    '*/*',
    '',
  ]) {
    it(`of the type "${type}" is refused`, async () => {
      const body = Buffer.from('{"name":"Desk","price":1}')
      assertError(await post(body, { 'content-type': type }), 415, wrongType)
    })
  }

  it('with another coding is refused, not misread', async () => {
    const plain = Buffer.from('{"name":"Desk","price":1}')
    for (const coding of ['br', 'gzip, gzip', 'x']) {
      const refused = await post(plain, { 'content-encoding': coding })
      assertError(refused, 415, 'The Content-Encoding of a request body must be gzip.')
      assert.equal(refused.headers.get('accept-encoding'), 'gzip, identity')
    }
    assert.equal((await post(plain, { 'content-encoding': 'identity' })).status, 201)
  })

  it('that has no content has no type to refuse', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
    ]) {
      const headers = { 'content-type': type }
      const { id } = (await post({ name: 'Desk', price: 1 })).body
      assert.equal((await service.host.send('DELETE', `/api/products/${id}`, '', headers)).status, 204)
      const { client } = await service.signIn('admin')
      assert.equal((await client.post('/api/auth/logout', '', headers)).status, 200)
      assertError(await post('', headers), 400, 'The body is missing: it must be application/json.')
    }
  })

  it('of a PATCH may be a merge patch, and that of another method may not', async () => {
    const { id } = (await post({ name: 'Desk', price: 1, description: 'Oak' })).body
    const type = { 'content-type': 'application/merge-patch+json; charset=utf-8' }
    const changed = await service.host.patch(`/api/products/${id}`, { price: 2, description: null }, type)
    assert.equal(changed.status, 200)
    assert.deepEqual([changed.body.name, changed.body.price, changed.body.description], ['Desk', 2, null])
    assertError(await post({ name: 'Desk', price: 1 }, type), 415, wrongType)
    const refused = await service.host.patch(`/api/products/${id}`, '[]', {
      'content-type': 'application/json-patch+json',
    })
    assertError(refused, 415)
    assert.equal(refused.headers.get('accept-patch'), 'application/json, application/merge-patch+json')
  })

  it('that is missing is asked for', async () => {
    const missing = 'The body is missing: it must be application/json.'
    assertError(await service.host.send('POST', '/api/products'), 400, missing)
    assertError(await post(''), 400, missing)
    assertError(await service.host.send('POST', '/api/auth/login'), 400, missing)
  })

  for (const text of [
    '{',
    '{"name":"Desk","price":1',
    '{"name":"Desk","price":1}}',
    '{"name":"Desk","price":1} x',
    "{'name':'Desk','price':1}",
    '{name:"Desk",price:1}',
    '{"name":"Desk","price":1,}',
    '{"name":"Desk" "price":1}',
    '{"name":"De\nsk","price":1}',
    '{"name":"\\x41","price":1}',
    '{"name":"\\u12","price":1}',
    '// desk\n{}',
    'undefined',
    'name=Desk&price=1',
    '<product/>',
    ' ',
    '\ufeff',
  ]) {
    it(`is no JSON when it is ${JSON.stringify(text)}`, async () => {
      assertError(await post(text), 400, noJson)
    })
  }

  it('is UTF-8', async () => {
    const broken = [
      [0xff],
      [0xc3],
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80], // a lone surrogate, encoded
      [0xf4, 0x90, 0x80, 0x80], // beyond the last character
      [0x80],
    ]
    for (const bytes of broken) {
      const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('","price":1}')])
      assertError(await post(body), 400, 'The body is not valid UTF-8.')
    }
    const utf16 = Buffer.from('{"name":"Desk","price":1}', 'utf16le')
    assertError(await post(utf16, { 'content-type': 'application/json; charset=utf-16' }), 400, noJson)
  })

  it('is what its length says', async () => {
    const headers = ['Host: a', `Authorization: Bearer ${token}`, 'Content-Type: application/json']
    const send = (length: string, text: string) =>
      sendRaw(service.url, rawRequest('POST /api/products', [...headers, `Content-Length: ${length}`], text))
    const body = '{"name":"Desk","price":1}'
    assert.equal((await send(`${body.length}`, body)).status, 201)
    assertError(await send('10', body.slice(0, 10)), 400, noJson)
    for (const length of ['-1', 'x', '1e3', `${body.length}, ${body.length}`]) {
      assertError(await send(length, body), 400, 'The request is not valid HTTP.')
    }
    assertError(await send('99999999999', ''), 413)
  })

  it('of a GET is not looked at', async () => {
    const body = '{"not json'
    const headers = ['Host: a', 'Content-Type: application/json', `Content-Length: ${body.length}`]
    assert.equal((await sendRaw(service.url, rawRequest('GET /api/products', headers, body))).status, 200)
  })

  it('brings nothing into the service that its schema does not name, at any depth', async () => {
    const admin = person('boss', {
      phoneNumber: { a: 1 },
      isActive: false,
      roles: ['User'],
      tenantId: 'default',
    })
    const made = await service.host.post('/api/tenants', {
      id: 'acme',
      name: 'Acme',
      isActive: false,
      version: 7,
      admin,
    })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.isActive, true)
    const { client } = await service.signIn('boss', 'acme')
    const me = await client.get('/api/auth/me')
    assert.deepEqual([me.body.roles, me.body.tenantId], [['Admin'], 'acme'])
    assert.equal((await client.get(`/api/users/${me.body.id}`)).body.phoneNumber, null)
  })
})

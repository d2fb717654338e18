/** Request bodies that come compressed: what they may inflate to, and what is said of those that do not inflate. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { constants, createGzip, gzipSync } from 'node:zlib'
import { receiveBody } from '../../../../src/api/http/request/receive-body.ts'
import { ServiceError } from '../../../../src/core/errors.ts'
import { PartialBody } from '../../../../src/core/limits/body-memory.ts'
import { assertError } from '../../../support/error.ts'
import { rawRequest, sendRaw } from '../../../support/http/raw-request.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

const limit = 64 * 1024
const gzip = { 'content-encoding': 'gzip' }

function sized(length: number): Buffer {
  const start = '{"name":"Desk","price":1,"description":"'
  return Buffer.from(`${start}"}`.padEnd(length, ' '))
}

/** @returns zeros, compressed to a hundredth */
async function bomb(inflatedBytes: number): Promise<Buffer> {
  const zeros = Buffer.alloc(1024 * 1024)
  const compress = createGzip({ level: constants.Z_BEST_SPEED })
  return Buffer.concat(
    await Readable.from(Array.from({ length: inflatedBytes / zeros.length }, () => zeros))
      .pipe(compress)
      .toArray(),
  )
}

describe('A compressed body', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService('sqlite', { BODY_LIMIT_BYTES: `${limit}` })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const post = (body: Uint8Array, headers: Record<string, string> = {}, path = '/api/products') =>
    tenant.admin.send('POST', path, body, { 'content-type': 'application/json', ...headers })

  it('is read like the same body without a coding, in one chunk or in several', async () => {
    for (const coding of ['gzip', 'GZIP', 'x-gzip']) {
      const made = await post(gzipSync('{"name":"Desk","price":1}'), { 'content-encoding': coding })
      assert.deepEqual([made.status, made.body.name], [201, 'Desk'])
    }
    const query = JSON.stringify({ query: '{ products { name } }' })
    assert.equal((await post(gzipSync(query), gzip, '/graphql')).status, 200)
    const parts = Buffer.concat([gzipSync('{"name":"Desk",'), gzipSync('"price":1}')])
    assert.equal((await post(parts, gzip)).status, 201)
    assertError(await post(gzipSync('{"name":'), gzip), 400, 'The body is not valid JSON.')
    assertError(await post(gzipSync(Buffer.from([0xff])), gzip), 400, 'The body is not valid UTF-8.')
  })

  it('is bounded by what it inflates to', async () => {
    assert.equal((await post(gzipSync(sized(limit)), gzip)).status, 201)
    assertError(await post(gzipSync(sized(limit + 1)), gzip), 413)
    assertError(
      await service.anonymous.send('POST', '/api/auth/login', gzipSync(sized(17 * 1024)), {
        'content-type': 'application/json',
        ...gzip,
      }),
      413,
    )
  })

  it('is inflated no further than the limit, whatever follows', async () => {
    const body = await bomb(256 * 1024 * 1024)
    let mostHeld = 0
    const { promise, resolve } = Promise.withResolvers<{ error: Error | null; bytesRead: number }>()
    const begin = (cut: () => void) =>
      new PartialBody('', cut, (bytes) => {
        mostHeld = Math.max(mostHeld, bytes)
      })
    const server = createServer((message) => {
      receiveBody(message, { maxBytes: limit, isCompressed: true, begin }, (refusal) => {
        resolve({ error: refusal, bytesRead: message.socket.bytesRead })
        message.socket.destroy()
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo // it listens on a port
    const headers = { 'transfer-encoding': 'chunked' }
    const call = request({ port, method: 'POST', headers })
    call.on('error', () => undefined) // the server ends the connection
    call.end(body)
    const { error, bytesRead } = await promise
    server.close()
    assert.equal(error instanceof ServiceError && error.kind, 'tooLarge')
    assert.ok(mostHeld <= limit, `${mostHeld} bytes held`)
    assert.ok(bytesRead < body.length / 4, `${bytesRead} of ${body.length} bytes read`)
  })

  it('that inflates to nothing is bounded as it is sent', async () => {
    const empty = gzipSync('')
    const members = Buffer.concat(Array.from({ length: 2 * Math.ceil(limit / empty.length) }, () => empty))
    const size = members.length.toString(16)
    const head = [
      'Host: a',
      `Authorization: ${tenant.admin.headers['authorization']}`,
      'Content-Type: application/json',
      'Content-Encoding: gzip',
      'Transfer-Encoding: chunked',
    ]
    const body = `${size}\r\n${members.toString('latin1')}\r\n0\r\n\r\n`
    assertError(
      await sendRaw(service.url, Buffer.from(rawRequest('POST /api/products', head, body), 'latin1')),
      413,
    )
  })

  it('that does not inflate is refused', async () => {
    const whole = gzipSync('{"name":"Desk","price":1}')
    const broken = Buffer.from(whole)
    broken[broken.length - 5] = (broken[broken.length - 5] ?? 0) ^ 1 // of the checksum
    const bodies = [Buffer.from('{"name":"Desk","price":1}'), whole.subarray(0, -3), broken]
    for (const body of bodies) assertError(await post(body, gzip), 400, 'The body is not valid gzip.')
    assertError(
      await post(Buffer.concat([whole, Buffer.from('rest')]), gzip),
      400,
      'The body is not valid gzip.',
    )
    assertError(await post(Buffer.alloc(0), gzip), 400)
  })

  it('is refused where a signature covers the bytes as they are sent', async () => {
    const secret = 'a secret of the provider'
    const provider = { scheme: 'github', secret }
    assert.equal((await tenant.admin.put('/api/webhooks/providers/github', provider)).status, 200)
    const body = gzipSync('{"action":"opened"}')
    const signature = createHmac('sha256', secret).update(body).digest('hex')
    const headers = { 'x-hub-signature-256': `sha256=${signature}`, ...gzip }
    const refused = await post(body, headers, `/api/webhooks/receive/github?tenant=${tenant.id}`)
    assertError(refused, 415, 'This body must not have a Content-Encoding.')
    assert.equal(refused.headers.get('accept-encoding'), 'identity')
  })
})

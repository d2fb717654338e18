/** Requests that are refused before their body was read, by clients that read nothing before they have sent all. */
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { open } from '../../../support/http/connection.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

const mebibyte = 1024 * 1024
const chunk = Buffer.alloc(64 * 1024, ' ')
/** More than the limit, and than the kernel buffers of a connection. */
const size = 12 * mebibyte
/** More than what is read of a refused body. */
const endlessSize = 512 * mebibyte

describe('A body that is not read', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService('sqlite', {
      BODY_LIMIT_BYTES: `${mebibyte}`,
    })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const refusals = (): [status: number, path: string, headers: Record<string, string>][] => {
    const { user } = tenant
    const json = { 'content-type': 'application/json' }
    return [
      [401, '/api/products', json],
      [401, '/api/files?name=a.pdf', { 'content-type': 'application/pdf' }],
      [403, '/api/tenants', { ...user.headers, ...json }],
      [404, '/api/nothing', { ...user.headers, ...json }],
      [405, '/api/products/active', { ...user.headers, ...json }],
      [413, '/api/products', { ...user.headers, ...json }],
      [413, '/api/auth/login', json],
      [415, '/api/products', { ...user.headers, 'content-type': 'text/plain' }],
      [415, '/api/files?name=a.exe', { ...user.headers, 'content-type': 'application/x-msdownload' }],
    ]
  }

  for (const connection of ['keep-alive', 'close']) {
    it(`does not keep the client from the reply, with Connection: ${connection}`, async () => {
      for (const [status, path, headers] of refusals()) {
        for (const length of [{ 'content-length': `${size}` }, { 'transfer-encoding': 'chunked' }]) {
          const reply = await sendAllThenRead(service.url, path, { ...headers, ...length, connection })
          assert.equal(reply.status, status, `${path} ${JSON.stringify(length)}`)
        }
      }
    })
  }

  it('does not keep the client from the reply 429', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9' }
    const signIn = { userName: 'nobody', password: 'wrong' }
    while ((await service.anonymous.post('/api/auth/login', signIn, from)).status !== 429);
    const headers = { ...from, 'content-type': 'application/json', 'content-length': `${size}` }
    assert.equal((await sendAllThenRead(service.url, '/api/auth/login', headers)).status, 429)
  })

  it('leaves the connection to the next request', async () => {
    const socket = await begin(service.url, '/api/nothing', { 'content-length': `${size}` })
    await sendBody(socket, size)
    socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    const replies = await text(socket)
    assert.deepEqual(replies.match(/(?<=HTTP\/1\.1 )\d+/g), ['404', '200'])
  })

  it('leaves no listener on a connection that many such bodies share', async () => {
    const warnings: string[] = []
    const note = ({ name }: Error): unknown => warnings.push(name)
    process.on('warning', note)
    const connection = await open(service.url)
    for (let count = 0; count < EventEmitter.defaultMaxListeners + 2; count++) {
      connection.send(head('/api/nothing', { 'content-length': '1' }))
      await once(connection.socket, 'data')
      connection.send('x')
    }
    connection.send('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    assert.match(await connection.heard, /HTTP\/1\.1 200 /)
    process.off('warning', note)
    assert.deepEqual(warnings, [])
  })

  it('serves no request that follows it on a connection that ends', async () => {
    const headers = { 'content-length': `${size}`, connection: 'close' }
    const socket = await begin(service.url, '/api/nothing', headers)
    socket.on('error', () => undefined) // it is closed
    await sendBody(socket, size)
    socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n')
    assert.deepEqual((await text(socket)).match(/(?<=HTTP\/1\.1 )\d+/g), ['404'])
  })

  it('is cut when its rest does not come', async () => {
    const socket = await begin(service.url, '/api/nothing', { 'content-length': `${size}` })
    await sendBody(socket, mebibyte)
    socket.on('error', () => undefined).resume() // a reset says the same
    await once(socket, 'close')
    assert.equal((await service.anonymous.get('/health/live')).status, 200)
  })

  it('is cut when it does not end', async () => {
    const socket = await begin(service.url, '/api/nothing', { 'content-length': `${endlessSize}` })
    socket.on('error', () => undefined) // the write says so as well
    await assert.rejects(sendBody(socket, endlessSize), /^Error: (read|write) /)
    assert.equal((await service.anonymous.get('/health/live')).status, 200)
  })
})

describe('Expect: 100-continue', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService('sqlite')
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const announce = (path: string, headers: Record<string, string>): Promise<string> =>
    announceTo(service.url, path, headers)

  it('is answered by the refusal that the headers decide, and ends the connection', async () => {
    const json = { 'content-type': 'application/json', 'content-length': '100' }
    const { user } = tenant
    for (const [status, path, headers] of [
      [401, '/api/products', json],
      [401, '/api/files?name=a.pdf', { ...json, 'content-type': 'application/pdf' }],
      [403, '/api/tenants', { ...user.headers, ...json }],
      [404, '/api/nothing', { ...user.headers, ...json }],
      [413, '/api/products', { ...user.headers, ...json, 'content-length': '99999999' }],
      [
        413,
        '/api/files?name=a.pdf',
        {
          ...user.headers,
          'content-type': 'application/pdf',
          'content-length': '999999999',
        },
      ],
      [415, '/api/products', { ...user.headers, ...json, 'content-type': 'text/plain' }],
      [415, '/api/files?name=a.exe', { ...user.headers, ...json, 'content-type': 'x/y' }],
    ] as const) {
      const heard = await announce(path, headers)
      assert.match(heard, new RegExp(`^HTTP/1\\.1 ${status} [^]*\r\nconnection: close\r\n`, 'i'), path)
    }
  })

  it('is answered with 100 when the body is about to be read', async () => {
    const { user } = tenant
    const body = JSON.stringify({ name: 'Expected', price: 1 })
    const pdf = '%PDF-1.4\n'
    for (const [path, type, content] of [
      ['/api/products', 'application/json', body],
      ['/api/files?name=a.pdf', 'application/pdf', pdf],
    ] as const) {
      const headers = { ...user.headers, 'content-type': type, 'content-length': `${content.length}` }
      const connection = await open(service.url, head(path, { ...headers, expect: '100-continue' }))
      await once(connection.socket, 'data')
      assert.equal(connection.text, 'HTTP/1.1 100 Continue\r\n\r\n')
      connection.send(content)
      await once(connection.socket, 'data')
      assert.match(connection.text, /\r\n\r\nHTTP\/1\.1 201 /)
      // The connection goes on.
      connection.send('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
      assert.match(await connection.heard, /HTTP\/1\.1 200 /)
    }
  })
})

function head(path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** @returns what comes back before the body is sent, up to the end of the connection */
async function announceTo(url: string, path: string, headers: Record<string, string>): Promise<string> {
  const connection = await open(url, head(path, { ...headers, expect: '100-continue' }))
  return connection.heard
}

async function begin(url: string, path: string, headers: Record<string, string>): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.pause().write(head(path, headers))
  return socket
}

/** @throws the error of the connection */
async function sendBody(socket: Socket, bytes: number, frame = (data: Buffer) => [data]): Promise<void> {
  for (let sent = 0; sent < bytes; sent += chunk.length) {
    for (const data of frame(chunk)) {
      await new Promise<void>((resolve, reject) => {
        socket.write(data, (error) => (error ? reject(error) : resolve()))
      })
    }
  }
}

async function sendAllThenRead(url: string, path: string, headers: Record<string, string>) {
  const socket = await begin(url, path, headers)
  const isChunked = headers['transfer-encoding'] === 'chunked'
  const inChunks = (data: Buffer) => [
    Buffer.from(`${data.length.toString(16)}\r\n`),
    data,
    Buffer.from('\r\n'),
  ]
  await sendBody(socket, size, isChunked ? inChunks : undefined)
  if (isChunked) socket.write('0\r\n\r\n')
  socket.setEncoding('utf8').resume()
  const [reply] = await once(socket, 'data')
  socket.destroy()
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(reply)?.[1]) }
}

/** One HTTP attempt with receivers of every kind. */
import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type AddressGuard, createAddressGuard } from '../../../../src/core/outgoing/address-guard.ts'
import { type Receiver, startListener, startReceiver } from '../../../support/webhooks/receiver.ts'
import { development, sendTo } from '../../http-attempt.ts'

describe('A delivery', () => {
  let guard: AddressGuard
  const open: Receiver[] = []
  const opened = (receiver: Receiver): Receiver => {
    open.push(receiver)
    return receiver
  }
  /** A receiver that answers each connection with these bytes. */
  const saying = async (bytes: string, thenClose = false): Promise<Receiver> =>
    opened(
      await startListener((socket) => {
        socket.once('data', () => (thenClose ? socket.end(bytes, 'latin1') : socket.write(bytes, 'latin1')))
      }),
    )
  before(() => {
    guard = createAddressGuard(development)
  })
  after(async () => {
    guard.close()
    await Promise.all(open.map((receiver) => receiver.close()))
  })

  for (const [status, head, expected] of [
    [204, '204 No Content\r\nContent-Length: 2', null],
    [204, '204 No Content\r\nTransfer-Encoding: chunked', null],
    [200, '200 OK\r\nContent-Length: 0', null],
    [304, '304 Not Modified\r\nContent-Length: 2', 'redirect'],
  ] as const) {
    it(`ends with the head of "${head.replaceAll('\r\n', ', ')}", whatever follows it`, async () => {
      for (const rest of ['', '{}', '2\r\n{}\r\n0\r\n\r\n']) {
        const receiver = await saying(`HTTP/1.1 ${head}\r\n\r\n${rest}`)
        const exchange = await sendTo(receiver.url, guard, { body: '{}' })
        assert.deepEqual([exchange.status, exchange.errorClass], [status, expected], rest)
      }
    })
  }

  it('is not disturbed by what a receiver sends after the answer to the one before', async () => {
    const receiver = opened(
      await startListener((socket) => {
        socket.on('data', () => {
          socket.write('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n')
          setImmediate(() => socket.write('{}'))
        })
      }),
    )
    for (let sent = 0; sent < 5; sent++) {
      const exchange = await sendTo(receiver.url, guard, { body: '{}' })
      assert.deepEqual([exchange.status, exchange.errorClass], [204, null])
    }
  })

  it('is one POST with the body and the headers given, and the answer is told of', async () => {
    const receiver = opened(
      await startReceiver((response) => response.writeHead(201, { a: 'b' }).end('made')),
    )
    const body = '{"a":"\u{1f600}"}'
    const exchange = await sendTo(`${receiver.url}/hooks/1?a=b%20c#part`, guard, {
      body,
      ownHeaders: { Authorization: 'Bearer hidden' },
    })
    const [request] = receiver.requests
    assert.ok(request)
    assert.deepEqual([request.method, request.path, request.body], ['POST', '/hooks/1?a=b%20c', body])
    const { host, connection, ...headers } = request.headers
    assert.deepEqual(headers, {
      'content-type': 'application/json',
      'content-length': '12',
      authorization: 'Bearer hidden',
    })
    assert.equal(host, `127.0.0.1:${receiver.port}`)
    assert.equal(connection, 'keep-alive')
    assert.equal(exchange.outcome, 'success')
    assert.equal(exchange.errorClass, null)
    assert.equal(exchange.status, 201)
    assert.equal(exchange.responseHeaders['a'], 'b')
    assert.equal(exchange.bodyExcerpt, 'made')
    assert.equal(exchange.requestHeaders['Content-Type'], 'application/json')
    assert.equal(exchange.requestHeaders['Authorization'], '****')
    assert.ok(exchange.durationMs >= 0)
  })

  for (const status of [200, 202, 204, 299]) {
    it(`has succeeded with ${status}`, async () => {
      const receiver = opened(await startReceiver((response) => response.writeHead(status).end()))
      const { outcome, errorClass } = await sendTo(receiver.url, guard)
      assert.deepEqual([outcome, errorClass], ['success', null])
    })
  }

  for (const status of [400, 404, 410, 429, 500, 503]) {
    it(`has failed with ${status}, whose Retry-After is passed on`, async () => {
      const answered = await startReceiver((response) =>
        response.writeHead(status, { 'retry-after': '7' }).end('no'),
      )
      const { outcome, errorClass, retryAfter, bodyExcerpt, ...rest } = await sendTo(
        opened(answered).url,
        guard,
      )
      assert.deepEqual([outcome, errorClass, retryAfter, bodyExcerpt], ['failure', 'status', '7', 'no'])
      assert.equal(rest.status, status)
    })
  }

  for (const status of [300, 301, 302, 303, 304, 307, 308]) {
    it(`has failed with the redirect ${status}, which is not followed`, async () => {
      const elsewhere = opened(await startReceiver((response) => response.end()))
      const receiver = opened(
        await startReceiver((response) => response.writeHead(status, { location: elsewhere.url }).end()),
      )
      const exchange = await sendTo(receiver.url, guard)
      assert.deepEqual(
        [exchange.outcome, exchange.errorClass, exchange.status],
        ['failure', 'redirect', status],
      )
      assert.equal(elsewhere.connections.length, 0)
    })
  }

  it('goes over the connection of the one before, as long as it is open', async () => {
    const receiver = opened(await startReceiver((response) => response.end('ok')))
    for (let count = 0; count < 5; count++)
      assert.equal((await sendTo(receiver.url, guard)).outcome, 'success')
    assert.equal(receiver.connections.length, 1)
    assert.equal(receiver.requests.length, 5)
  })

  it('is sent over a new connection when the receiver has closed the kept one meanwhile', async () => {
    const receiver = opened(
      await startListener((socket) => {
        let requests = 0
        socket.on('data', () => {
          if (++requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
          else socket.destroy()
        })
      }),
    )
    for (let count = 0; count < 3; count++)
      assert.equal((await sendTo(receiver.url, guard)).outcome, 'success')
    assert.ok(receiver.connections.length >= 2)
  })

  it('has failed when the receiver closes a new connection at once', async () => {
    const receiver = opened(await startListener((socket) => socket.destroy()))
    const exchange = await sendTo(receiver.url, guard)
    assert.deepEqual([exchange.errorClass, exchange.status], ['reset', null])
    assert.equal(receiver.connections.length, 1)
  })

  it('has failed when nobody listens', async () => {
    const receiver = await startReceiver((response) => response.end())
    await receiver.close()
    assert.equal((await sendTo(receiver.url, guard)).errorClass, 'connect')
  })

  it('has failed when the answer breaks off, whatever its status was', async () => {
    const receiver = await saying('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this', true)
    const exchange = await sendTo(receiver.url, guard)
    assert.deepEqual([exchange.outcome, exchange.errorClass, exchange.status], ['failure', 'reset', 200])
    assert.equal(exchange.bodyExcerpt, 'only this')
  })

  const malformed = {
    'is not HTTP': 'SSH-2.0-OpenSSH_9.6\r\n',
    'has headers larger than 16 KiB': `HTTP/1.1 200 OK\r\na: ${'b'.repeat(20_000)}\r\n\r\n`,
    'has headers without end': `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(10_000)}`,
    'has two lengths': 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok',
  }
  for (const [what, bytes] of Object.entries(malformed)) {
    it(`has failed when the answer ${what}`, async () => {
      const exchange = await sendTo((await saying(bytes)).url, guard)
      assert.deepEqual([exchange.outcome, exchange.errorClass], ['failure', 'protocol'])
    })
  }

  it('waits for the answer behind informational ones', async () => {
    const bytes = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n'
    const receiver = await saying(`${bytes}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`)
    const exchange = await sendTo(receiver.url, guard)
    assert.deepEqual([exchange.status, exchange.bodyExcerpt], [200, 'ok'])
  })

  it('has failed when the receiver changes the protocol', async () => {
    const receiver = await saying(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: a\r\n\r\n',
    )
    const exchange = await sendTo(receiver.url, guard)
    assert.deepEqual([exchange.outcome, exchange.status], ['failure', 101])
  })

  it('takes an answer that comes before the whole body was sent, and closes that connection', async () => {
    const receiver = opened(
      await startListener((socket) => {
        socket.pause()
        socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno')
      }),
    )
    const sockets: Socket[] = []
    const heed = (message: unknown) => {
      const { socket } = message as { socket: Socket }
      // The process may open others meanwhile.
      socket.once('connect', () => socket.remotePort === receiver.port && sockets.push(socket))
    }
    const connected = channel('net.client.socket')
    connected.subscribe(heed)
    const exchange = await sendTo(receiver.url, guard, { body: `"${'x'.repeat(32_000_000)}"` })
    connected.unsubscribe(heed)
    assert.deepEqual([exchange.status, exchange.bodyExcerpt], [413, 'no'])
    assert.deepEqual(
      sockets.map(({ destroyed }) => destroyed),
      [true],
    )
  })

  it('keeps text that a database can hold of whatever bytes come back', async () => {
    const receiver = await saying('HTTP/1.1 200 OK\r\nx: \xe9\r\nContent-Length: 6\r\n\r\na\0b\xff\xf0\x9f')
    const { bodyExcerpt, responseHeaders } = await sendTo(receiver.url, guard)
    assert.equal(bodyExcerpt, 'a\u{fffd}b\u{fffd}\u{fffd}')
    assert.equal(responseHeaders['x'], '\xe9')
  })

  it('is refused at once, and not at its deadline, when it is nothing that can be sent', async () => {
    const receiver = opened(await startReceiver((response) => response.end()))
    const timers = () => process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length
    const timersBefore = timers()
    const made = sendTo(receiver.url, guard, { ownHeaders: { 'X-Broken': 'a\r\nb' }, deadlineMs: 60_000 })
    await assert.rejects(made, { code: 'ERR_INVALID_CHAR' })
    assert.ok(timers() <= timersBefore)
    assert.equal(receiver.requests.length, 0)
  })

  it('ends when it is told to, before it begins or in the middle', async () => {
    const receiver = opened(await startReceiver(() => undefined))
    const stop = new AbortController()
    const sent = sendTo(receiver.url, guard, { signal: stop.signal })
    setTimeout(() => stop.abort(), 20)
    assert.equal((await sent).errorClass, 'aborted')
    assert.equal((await sendTo(receiver.url, guard, { signal: stop.signal })).errorClass, 'aborted')
  })
})

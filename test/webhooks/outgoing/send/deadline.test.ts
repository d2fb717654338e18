/** One deadline for a whole HTTP attempt, and a bound on what is read of the reply. */
import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createAddressGuard } from '../../../../src/core/outgoing/address-guard.ts'
import { maxKeptBytes, maxReadBytes } from '../../../../src/webhooks/outgoing/send/response.ts'
import { startNameServer } from '../../../support/name-server.ts'
import { drip, pour, type Receiver, startListener } from '../../../support/webhooks/receiver.ts'
import { development, sendTo } from '../../http-attempt.ts'

const deadlineMs = 300

describe('An exchange', () => {
  const guard = createAddressGuard(development)
  const open: Receiver[] = []
  const listen = async (accept: (socket: Socket) => void): Promise<Receiver> => {
    const receiver = await startListener(accept)
    open.push(receiver)
    return receiver
  }
  /** Says this at once, and then one byte after the other without end. */
  const dripping = (first: string): Promise<Receiver> => listen((socket) => drip(socket, first, 50))
  after(async () => {
    guard.close()
    await Promise.all(open.map((receiver) => receiver.close()))
  })

  const slow: Record<string, () => Promise<Receiver>> = {
    'a receiver that says nothing': () => listen(() => undefined),
    'a receiver that never ends its status line': () => dripping('HTTP/1.1 200 '),
    'a receiver that never ends its headers': () => dripping('HTTP/1.1 200 OK\r\nx: '),
    'a body that drips': () => dripping('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n'),
    'a body without a length that drips': () => dripping('HTTP/1.1 200 OK\r\n\r\n'),
    'a body that stops': () =>
      listen((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx')),
    'informational answers without end': () =>
      listen((socket) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 20)
        socket.once('close', () => clearInterval(timer))
      }),
  }
  for (const [what, start] of Object.entries(slow)) {
    it(`with ${what} is cut at the deadline`, async () => {
      const receiver = await start()
      const exchange = await sendTo(receiver.url, guard, { deadlineMs })
      assert.deepEqual([exchange.outcome, exchange.errorClass], ['failure', 'timeout'])
      assert.ok(exchange.durationMs >= deadlineMs - 1, `${exchange.durationMs} ms`)
      const [socket] = receiver.connections
      assert.ok(socket)
      await closed(socket) // by the sender: the receiver keeps it open
    })
  }

  it('that is cut tells what had come until then', async () => {
    const receiver = await dripping('HTTP/1.1 503 Slow\r\nRetry-After: 9\r\n\r\nstarted')
    let exchange = await sendTo(receiver.url, guard, { deadlineMs })
    // On a busy machine the deadline may pass before anything has come.
    for (let longerMs = 2 * deadlineMs; exchange.bodyExcerpt === '' && longerMs < 20_000; longerMs *= 2)
      exchange = await sendTo(receiver.url, guard, { deadlineMs: longerMs })
    assert.deepEqual([exchange.status, exchange.errorClass, exchange.retryAfter], [503, 'timeout', '9'])
    assert.match(exchange.bodyExcerpt, /^startedx+$/)
  })

  it('with a receiver that never begins with TLS is cut at the deadline', async () => {
    const receiver = await listen(() => undefined)
    const exchange = await sendTo(`https://127.0.0.1:${receiver.port}`, guard, { deadlineMs })
    assert.equal(exchange.errorClass, 'timeout')
  })

  it('with a name server that says nothing is cut at the deadline', async () => {
    const names = await startNameServer(() => 'silent')
    const asking = createAddressGuard(development, { nameServers: [names.address] })
    const exchange = await sendTo('https://receiver.test', asking, { deadlineMs })
    assert.equal(exchange.errorClass, 'timeout')
    asking.close()
    names.close()
  })

  it('begins nothing when its name is found after the deadline', async () => {
    const receiver = await listen((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
    const late = Promise.withResolvers<string[]>()
    const names = await startNameServer(() => late.promise)
    const asking = createAddressGuard(development, { nameServers: [names.address] })
    const url = `https://127.0.0.1.receiver.test:${receiver.port}`
    assert.equal((await sendTo(url, asking, { deadlineMs: 50 })).errorClass, 'timeout')
    late.resolve(['127.0.0.1'])
    assert.equal((await sendTo(url, asking)).errorClass, 'tls') // it is no receiver with https, but it is there
    assert.equal(receiver.connections.length, 1)
    asking.close()
    names.close()
  })

  it('with a receiver that does not read a long body is cut at the deadline', async () => {
    const receiver = await listen((socket) => socket.pause())
    const exchange = await sendTo(receiver.url, guard, { deadlineMs, body: `"${'x'.repeat(32_000_000)}"` })
    assert.equal(exchange.errorClass, 'timeout')
  })

  it('reads 64 KiB of a gigabyte and keeps 16 KiB of that', async () => {
    const receiver = await listen((socket) => socket.once('data', () => pour(socket, 2 ** 30)))
    const sockets: Socket[] = []
    const heed = (message: unknown) => {
      const { socket } = message as { socket: Socket }
      // The process may open others meanwhile.
      socket.once('connect', () => socket.remotePort === receiver.port && sockets.push(socket))
    }
    const opened = channel('net.client.socket')
    opened.subscribe(heed)
    collectGarbage()
    const before = held()
    const exchanges = await Promise.all(Array.from({ length: 8 }, () => sendTo(receiver.url, guard)))
    opened.unsubscribe(heed)
    collectGarbage()
    const grown = held() - before
    for (const { outcome, status, bodyExcerpt } of exchanges) {
      assert.deepEqual([outcome, status, bodyExcerpt.length], ['success', 200, maxKeptBytes])
    }
    assert.equal(sockets.length, exchanges.length)
    for (const { bytesRead, destroyed } of sockets) {
      assert.ok(destroyed)
      assert.ok(bytesRead > maxReadBytes && bytesRead < 3 * maxReadBytes, `read ${bytesRead} bytes`)
    }
    assert.ok(grown < 5_000_000, `grew by ${grown} bytes`)
  })

  it('keeps no more than 16 KiB of text, whatever its bytes are, and cuts no character in two', async () => {
    for (const unit of ['\u{1f600}', '\xff']) {
      const body = Buffer.from(unit.repeat(20_000), unit === '\xff' ? 'latin1' : 'utf8')
      const receiver = await listen((socket) =>
        socket.once('data', () => socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), body]))),
      )
      const { bodyExcerpt } = await sendTo(receiver.url, guard)
      assert.ok(Buffer.byteLength(bodyExcerpt) <= maxKeptBytes)
      assert.ok(Buffer.byteLength(bodyExcerpt) > maxKeptBytes - 4)
      assert.ok(bodyExcerpt.isWellFormed())
    }
  })
})

/** An error, such as a write behind the end, is no matter. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => (socket.closed ? resolve() : socket.once('close', () => resolve())))
}

function held(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

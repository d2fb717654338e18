/** Requests sent before the replies to earlier ones. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Feature } from '../../../../src/core/feature/feature.ts'
import { route } from '../../../../src/core/feature/route.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { type Reply, ReplyReader } from '../../../support/http/reply-reader.ts'
import { bearer, requestBytes } from '../../../support/http/request-bytes.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

const mebibyte = 1024 * 1024
/** With the one that is served, as many as a connection may have. */
const maxPipelined = 33

describe('Pipelined requests', () => {
  let service: TestService
  let tenant: TestTenant
  let accessToken: string
  let served = 0
  const large: Feature = {
    name: 'large',
    routes: [
      route({
        method: 'GET',
        path: '/api/large',
        summary: 'Large',
        tag: 'Tests',
        status: 200,
        access: 'anonymous',
        database: 'none',
        handle: async () => {
          served++
          return 'x'.repeat(mebibyte)
        },
      }),
    ],
  }
  const sockets: Socket[] = []
  before(async () => {
    service = await startService('sqlite', {}, { features: [large] })
    tenant = await service.newTenant()
    accessToken = String(tenant.user.headers['authorization']).slice('Bearer '.length)
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  after(() => service.stop())

  async function open(): Promise<Socket> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => undefined) // it is to be closed
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }

  /** @returns what has come when there are so many replies */
  async function replies(socket: Socket, count: number): Promise<Reply[]> {
    const found: Reply[] = []
    const reader = new ReplyReader((reply) => found.push(reply), true)
    socket.on('data', (bytes: Buffer) => reader.push(bytes)).resume()
    await eventually(`${count} replies`, soonMs, async () => found.length >= count)
    return found
  }

  const figure = async (name: string): Promise<number> => {
    const { text } = await service.anonymous.get('/metrics')
    const line = text.split('\n').find((each) => each.startsWith(`${name} `)) ?? ''
    return Number(line.slice(name.length + 1))
  }

  it('are answered in their order, whatever they ask', async () => {
    const headers = bearer({ accessToken })
    const names = Array.from({ length: 10 }, (_each, index) => `Desk ${index}`)
    const requests = names.flatMap((name) => [
      requestBytes({ path: '/api/products', headers, body: { name, price: 1 } }),
      requestBytes({ path: `/api/products/search/${encodeURIComponent(name)}`, headers }),
      requestBytes({ path: `/none/${encodeURIComponent(name)}`, headers }),
    ])
    const socket = await open()
    socket.write(Buffer.concat(requests))
    const found = await replies(socket, requests.length)
    assert.deepEqual(
      found.map(({ status }) => status),
      names.flatMap(() => [201, 200, 404]),
    )
    for (const [index, name] of names.entries()) {
      assert.equal(JSON.parse(found[3 * index]?.body ?? '').name, name)
      assert.deepEqual(
        JSON.parse(found[3 * index + 1]?.body ?? '').map((product: { name: string }) => product.name),
        [name],
      )
    }
  })

  it('wait until the reply before has left, so that a client that reads nothing has one held for it', async () => {
    const socket = await open()
    socket.pause()
    socket.write(Buffer.concat(Array.from({ length: 30 }, () => requestBytes({ path: '/api/large' }))))
    await eventually('a reply is held', soonMs, async () => (await figure('reply_memory_bytes')) > 0)
    assert.ok((await figure('reply_memory_bytes')) < 2 * mebibyte)
    assert.ok(served < 30, `${served} replies were made`)
    const found = await replies(socket, 30)
    assert.ok(found.every(({ body }) => body.length === mebibyte))
    await eventually('nothing is held', soonMs, async () => (await figure('reply_memory_bytes')) === 0)
  })

  it('are so many at most on one connection, which is closed beyond, and counted', async () => {
    const live = requestBytes({ path: '/health/live' })
    const within = await open()
    within.write(Buffer.concat(Array.from({ length: maxPipelined }, () => live)))
    assert.equal((await replies(within, maxPipelined)).length, maxPipelined)
    const beyond = await open()
    beyond.write(Buffer.concat(Array.from({ length: 500 }, () => live)))
    await once(beyond.resume(), 'close')
    assert.equal(await figure('client_limits_exceeded_total{reason="pipelined requests"}'), 1)
  })

  it('go with their connection, and a stop does not wait for them', async () => {
    const own = await startService('sqlite', {}, { features: [large] })
    const socket = connect(Number(new URL(own.url).port), '127.0.0.1')
    const servedBefore = served
    socket.pause()
    socket.write(Buffer.concat(Array.from({ length: 30 }, () => requestBytes({ path: '/api/large' }))))
    await eventually('some are served', soonMs, async () => served > servedBefore + 1)
    socket.destroy()
    await own.stop()
  })
})

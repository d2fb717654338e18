/** Lists are read in chunks: what a page holds in memory, whose turn is next, and clients that have left. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import { listReply } from '../../../../src/api/http/reply/json-list.ts'
import type { Feature } from '../../../../src/core/feature/feature.ts'
import { route } from '../../../../src/core/feature/route.ts'
import { newId } from '../../../../src/core/id.ts'
import { PageQuery } from '../../../../src/core/page.ts'
import type { Client } from '../../../support/client.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { fillWithProducts } from '../../../support/product-rows.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

const mebibyte = 1024 * 1024
/** 3.6 MB as JSON. */
const rows = 300
const limit = 200

/** A list without end that tells how far it was read. */
class Endless {
  readonly feature: Feature
  chunks = 0
  isAbandoned = false
  /** Lets the reading go on; it waits behind the first chunk. */
  goOn: () => void = () => undefined

  constructor() {
    const gate = new Promise<void>((resolve) => {
      this.goOn = resolve
    })
    const endless = route({
      method: 'GET',
      path: '/api/endless',
      summary: 'A list without end',
      tag: 'Tests',
      access: 'public',
      status: 200,
      query: Type.Object(PageQuery),
      handle: (context, { query }) => {
        context.signal?.addEventListener('abort', () => {
          this.isAbandoned = true
        })
        return listReply(context, '/api/endless', query, async () => {
          if (this.chunks++ === 1) await gate
          return { json: '"x"', count: 1, lastId: newId(), isCut: true }
        })
      },
    })
    this.feature = { name: 'endless', routes: [endless] }
  }
}

onEitherDatabase('A list', (database) => {
  const endless = new Endless()
  let service: TestService
  let tenant: TestTenant
  let other: TestTenant
  const sockets: Socket[] = []
  before(async () => {
    const replyMemory = {
      maxBytes: 4 * mebibyte,
      maxTenantBytes: 4 * mebibyte,
      maxAddressBytes: 3 * mebibyte,
    }
    service = await startService(database, {}, { features: [endless.feature], replyMemory })
    tenant = await service.newTenant()
    other = await service.newTenant()
    await fillWithProducts(service, tenant, rows)
    await fillWithProducts(service, other, rows)
  })
  after(() => {
    for (const socket of sockets) socket.destroy()
    return service.stop()
  })

  const figure = async (name: string): Promise<number> => {
    const { text } = await service.anonymous.get('/metrics')
    const line = text.split('\n').find((each) => each.startsWith(`${name} `)) ?? ''
    return Number(line.slice(name.length + 1))
  }
  const heldBytes = () => figure('reply_memory_bytes')

  /** Asks, and takes nothing but what the kernel does by itself. */
  async function askAndStall(path: string, address: string): Promise<Socket> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.pause()
    sockets.push(socket)
    await once(socket, 'connect')
    const from = `X-Tenant-Id: ${tenant.id}\r\nX-Forwarded-For: ${address}`
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${from}\r\n\r\n`)
    return socket
  }

  it('of long rows is cut to pages of about a megabyte, and the links lead through all of it', async () => {
    const seen: string[] = []
    let path: string | undefined = `/api/products?limit=${limit}`
    let pages = 0
    for (; path !== undefined; pages++) {
      const reply: Awaited<ReturnType<Client['get']>> = await tenant.user.get(path)
      assert.equal(reply.status, 200)
      assert.ok(reply.text.length < 1.5 * mebibyte, `${reply.text.length} bytes`)
      seen.push(...reply.body.map(({ id }: { id: string }) => id))
      path = /^<([^>]+)>; rel="next"$/.exec(reply.headers.get('link') ?? '')?.[1]
    }
    assert.equal(seen.length, rows)
    assert.equal(new Set(seen).size, rows)
    assert.deepEqual(seen, seen.toSorted())
    assert.ok(pages > rows / limit + 1, `${pages} pages`)
    await eventually('nothing is held', soonMs, async () => (await heldBytes()) === 0)
  })

  it('that is not modified holds nothing', async () => {
    const first = await tenant.user.get(`/api/products?limit=${limit}`)
    const etag = first.headers.get('etag') ?? ''
    const again = await tenant.user.get(`/api/products?limit=${limit}`, { 'if-none-match': etag })
    assert.equal(again.status, 304)
    assert.equal(await heldBytes(), 0)
  })

  it('holds memory while its page is made, and is refused when there is none', async () => {
    for (let index = 0; index < 3; index++) await askAndStall('/api/products', '192.0.2.1')
    await eventually('they are held', soonMs, async () => (await heldBytes()) > 0)
    const refusedBefore = await figure('reply_memory_refused_total')
    const asked = Array.from({ length: 12 }, () => askAndStall(`/api/products?limit=${limit}`, '192.0.2.1'))
    await Promise.all(asked)
    await eventually('some are refused', soonMs, async () => {
      assert.ok((await heldBytes()) <= 4 * mebibyte)
      return (await figure('reply_memory_refused_total')) > refusedBefore
    })
    for (const socket of sockets.splice(0)) socket.destroy()
    await eventually('nothing is held', soonMs, async () => (await heldBytes()) === 0)
  })

  it('is read no further when its client has gone away', async () => {
    const socket = await askAndStall('/api/endless?limit=200', '192.0.2.1')
    await eventually('it is being read', soonMs, async () => endless.chunks === 2)
    socket.destroy()
    await eventually('the service knows', soonMs, async () => endless.isAbandoned)
    endless.goOn()
    await eventually('the reading goes on', soonMs, async () => endless.chunks >= 2)
    await service.anonymous.get('/health/ready')
    assert.equal(endless.chunks, 2)
  })
})

describe('Lists that are made at once', () => {
  const max = 32
  const hang: (() => void)[] = []
  let reading = 0
  let service: TestService
  before(async () => {
    const hanging = route({
      method: 'GET',
      path: '/api/hanging',
      summary: 'A list that waits',
      tag: 'Tests',
      access: 'public',
      status: 200,
      query: Type.Object(PageQuery),
      handle: async (context, { query }) =>
        listReply(context, '/api/hanging', query, async () => {
          reading++
          await new Promise<void>((resolve) => hang.push(resolve))
          return { json: '"x"', count: 1, lastId: newId() }
        }),
    })
    service = await startService('sqlite', {}, { features: [{ name: 'hanging', routes: [hanging] }] })
  })
  after(() => service.stop())

  it('are so many at most, of one tenant a quarter of them, and the others wait', async () => {
    const tenants: TestTenant[] = []
    for (let count = 0; count < 3; count++) tenants.push(await service.newTenant())
    const asked = tenants.flatMap(({ id }, tenant) =>
      Array.from({ length: 20 }, async (_each, index) => {
        const headers = { 'x-tenant-id': id, 'x-forwarded-for': `192.0.2.${tenant * 20 + index}` }
        return (await service.anonymous.get('/api/hanging?limit=1', headers)).status
      }),
    )
    await eventually('all are there', soonMs, async () => reading === (3 * max) / 4)
    const healthy = await service.newTenant()
    const last = service.anonymous.get('/api/hanging?limit=1', { 'x-tenant-id': healthy.id })
    await eventually('there is room for another tenant', soonMs, async () => reading === (3 * max) / 4 + 1)
    const isOver = Promise.all([...asked, last])
    for (let over = false; !over; ) {
      for (const goOn of hang.splice(0)) goOn()
      over = await Promise.race([
        isOver.then(() => true),
        new Promise<false>((resolve) => setImmediate(resolve, false)),
      ])
    }
    assert.deepEqual(new Set(await Promise.all(asked)), new Set([200]))
  })
})

describe('Lists that are read at once', () => {
  const many = 20
  const chunksOfEach = 10
  /** The tenant of each chunk, in the order in which they were read. */
  const reading: string[] = []
  /** The turns of the event loop that had passed when each chunk was read. */
  const turnsBefore: number[] = []
  let turns = 0
  let service: TestService
  /** How long each read keeps the thread. */
  let readMs = 0
  /** Called by each request, and resolved when it may be served. */
  let admit: () => Promise<void> | void = () => undefined
  before(async () => {
    const counted = route({
      method: 'GET',
      path: '/api/counted',
      summary: 'A list that is watched',
      tag: 'Tests',
      access: 'public',
      status: 200,
      query: Type.Object(PageQuery),
      handle: async (context, { query }) => {
        await admit()
        return listReply(context, '/api/counted', query, async () => {
          reading.push(context.tenant.id)
          turnsBefore.push(turns)
          setImmediate(() => turns++)
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, readMs)
          return { json: '"x"', count: 1, lastId: newId(), isCut: true }
        })
      },
    })
    service = await startService('sqlite', {}, { features: [{ name: 'counted', routes: [counted] }] })
  })
  after(() => service.stop())

  it('let others have a turn after each chunk that takes a millisecond', async () => {
    const { id } = await service.newTenant()
    readMs = 2
    await service.anonymous.get(`/api/counted?limit=${chunksOfEach}`, { 'x-tenant-id': id })
    readMs = 0
    // One more read tells whether there is a next page.
    assert.equal(turnsBefore.length, chunksOfEach + 1)
    assert.equal(new Set(turnsBefore).size, chunksOfEach, `${turnsBefore}`)
  })

  it('take turns by tenant', async () => {
    // All have come before the first is served.
    let arrived = 0
    const { promise: allHere, resolve: begin } = Promise.withResolvers<void>()
    admit = () => {
      if (++arrived > many) begin()
      return allHere
    }
    const crowd = await service.newTenant()
    const other = await service.newTenant()
    const ask = ({ id }: TestTenant) =>
      service.anonymous.get(`/api/counted?limit=${chunksOfEach}`, { 'x-tenant-id': id })
    // Each chunk is a turn: several that take less than a millisecond would be one.
    readMs = 2
    const replies = await Promise.all([...Array.from({ length: many }, () => ask(crowd)), ask(other)])
    readMs = 0
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    // One more read than chunks tells whether there is a next page.
    const own = reading.filter((id) => id === other.id).length
    assert.equal(own, chunksOfEach + 1)
    const between = reading.slice(reading.indexOf(other.id), reading.lastIndexOf(other.id))
    const others = between.filter((id) => id === crowd.id).length
    // Two between each, and two more if the process pauses and the next read of the other comes a turn late.
    assert.ok(others <= 2 * (own + 1), `${others} chunks of the crowd came between those of the other`)
  })
})

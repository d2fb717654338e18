/** Memory of replies until they are read, and which connections are closed when it is exceeded. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { Type } from 'typebox'
import type { Feature } from '../../../src/core/feature/feature.ts'
import { JsonText, type Route, route } from '../../../src/core/feature/route.ts'
import { defaultReplyMemory, type ReplyMemoryBounds } from '../../../src/core/limits/reply-memory.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { requestBytes } from '../../support/http/request-bytes.ts'
import { startService, type TestService } from '../../support/service.ts'

const mebibyte = 1024 * 1024
const bounds: ReplyMemoryBounds = {
  maxBytes: 64 * mebibyte,
  maxTenantBytes: 32 * mebibyte,
  maxAddressBytes: 24 * mebibyte,
  minHeldMs: 0,
}
const text = 'application/json; charset=utf-8'

const piece = Buffer.alloc(65_536, ' ')
const pieces = (mebibytes: number) => Array.from({ length: mebibytes * 16 }, () => piece)

/** Replies of any size, as lists and commands make them. */
class Reports {
  readonly feature: Feature
  /** Opens the way of the report that holds memory before it is sent. */
  finish: () => void = () => undefined

  constructor() {
    const common = { tag: 'Tests', access: 'public', database: 'catalogue', status: 200 } as const
    const query = Type.Object({ mebibytes: Type.Integer() })
    const routes: Route[] = [
      route({
        ...common,
        method: 'GET',
        path: '/api/reports',
        summary: 'A report',
        query,
        handle: async (_context, { query: { mebibytes } }) => new JsonText(pieces(mebibytes)),
      }),
      route({
        ...common,
        method: 'POST',
        path: '/api/reports',
        summary: 'Make a report',
        query,
        handle: async (_context, { query: { mebibytes } }) => new JsonText([...pieces(mebibytes), '1']),
      }),
      route({
        ...common,
        method: 'GET',
        path: '/api/reports/text',
        summary: 'A report in one piece',
        handle: async () => ' '.repeat(8 * mebibyte),
      }),
      route({
        ...common,
        method: 'GET',
        path: '/api/reports/slow',
        summary: 'A report that takes its time',
        handle: async (context) => {
          const reservation = context.shared.replyMemory.reserve(context)
          reservation.grow(15 * mebibyte)
          await new Promise<void>((resolve) => {
            this.finish = resolve
          })
          return new JsonText(pieces(15), text, reservation)
        },
      }),
    ]
    this.feature = { name: 'report', routes }
  }
}

describe('Replies', () => {
  const reports = new Reports()
  const lines: { msg: string; limit?: string }[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  let service: TestService
  /** Where nobody is cut in favour of another of its address. */
  let patient: TestService
  let tenants: string[]
  const sockets: Socket[] = []
  before(async () => {
    const options = { features: [reports.feature] }
    service = await startService('sqlite', {}, { ...options, log, replyMemory: bounds })
    const minHeldMs = Number.MAX_SAFE_INTEGER
    patient = await startService('sqlite', {}, { ...options, replyMemory: { ...bounds, minHeldMs } })
    tenants = []
    for (let count = 0; count < 3; count++) tenants.push((await service.newTenant()).id)
  })
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    for (const each of [service, patient])
      await eventually('nothing is held', soonMs, async () => (await heldBytes(each)) === 0)
  })
  after(() => Promise.all([service.stop(), patient.stop()]))

  const figure = async (of: TestService, name: string): Promise<number> => {
    const { text: figures } = await of.anonymous.get('/metrics')
    const line = figures.split('\n').find((each) => each.startsWith(`${name} `)) ?? ''
    return Number(line.slice(name.length + 1))
  }
  const heldBytes = (of: TestService) => figure(of, 'reply_memory_bytes')
  const cutReplies = async () =>
    (await figure(service, 'client_limits_exceeded_total{reason="reply memory"}')) || 0

  /** Asks, and takes nothing but what the kernel does by itself. */
  async function askAndStall(
    address: string,
    path = '/api/reports?mebibytes=15',
    { of = service, tenant = tenants[0] } = {},
  ): Promise<void> {
    const headers = { 'x-forwarded-for': address, 'x-tenant-id': tenant ?? '' }
    const socket = connect(Number(new URL(of.url).port), '127.0.0.1')
    socket.on('error', () => undefined) // it may be cut
    socket.pause()
    sockets.push(socket)
    await once(socket, 'connect')
    socket.write(requestBytes({ path, headers }))
  }

  /** Takes all of the reply. */
  const ask = async (address: string, mebibytes: number, { of = service, tenant = tenants[0] } = {}) => {
    const headers = { 'x-forwarded-for': address, 'x-tenant-id': tenant ?? '' }
    const asked = get(`${of.url}/api/reports?mebibytes=${mebibytes}`, { agent: false, headers })
    const [reply]: [IncomingMessage] = (await once(asked, 'response')) as [IncomingMessage]
    let bytes = 0
    for await (const chunk of reply) bytes += chunk.length
    return { status: reply.statusCode, bytes }
  }

  it('that nobody reads leave a third tenant its own, wherever they go', async () => {
    for (let index = 0; index < 8; index++)
      await askAndStall(`192.0.2.${index}`, undefined, { tenant: tenants[index % 2] })
    await eventually('much is held', soonMs, async () => (await heldBytes(service)) > 16 * mebibyte)
    for (let count = 0; count < 2; count++) {
      assert.ok((await heldBytes(service)) <= bounds.maxBytes)
      const reply = await ask('192.0.2.99', 16, { tenant: tenants[2] })
      assert.deepEqual(reply, { status: 200, bytes: 16 * mebibyte })
    }
  })

  it('that have been held longest give way to another of their address', async () => {
    const cutBefore = await cutReplies()
    await askAndStall('192.0.2.1')
    await askAndStall('192.0.2.2', undefined, { tenant: tenants[1] })
    await eventually('both are held', soonMs, async () => (await heldBytes(service)) > 5 * mebibyte)
    const { status } = await ask('192.0.2.1', 16)
    assert.equal(status, 200)
    assert.equal(await cutReplies(), cutBefore + 1)
  })

  it('are refused while those of the address have not been held for long, and commands are not', async () => {
    const tenant = (await patient.newTenant()).id
    await askAndStall('192.0.2.1', undefined, { of: patient, tenant })
    await eventually('it is held', soonMs, async () => (await heldBytes(patient)) > 2 * mebibyte)
    const headers = { 'x-forwarded-for': '192.0.2.1', 'x-tenant-id': tenant }
    const refused = await patient.anonymous.get('/api/reports?mebibytes=16', headers)
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.deepEqual(refused.body, { message: 'Too many large replies are waiting to be read.' })
    const done = await patient.anonymous.post('/api/reports?mebibytes=16', undefined, headers)
    assert.equal(done.status, 200)
    assert.equal((await ask('192.0.2.2', 16, { of: patient, tenant })).status, 200)
  })

  it('that are alone are never too much', async () => {
    assert.deepEqual(await ask('192.0.2.1', 66), { status: 200, bytes: 66 * mebibyte })
  })

  it('count while they are made, and are refused when they have to give way', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1', 'x-tenant-id': tenants[0] ?? '' }
    const slow = service.anonymous.get('/api/reports/slow', headers)
    await eventually('it holds', soonMs, async () => (await heldBytes(service)) === 15 * mebibyte)
    assert.equal((await ask('192.0.2.1', 16)).status, 200)
    reports.finish()
    assert.equal((await slow).status, 503)
  })

  it('that are sent whole count when they are not taken, and are cut as well', async () => {
    const cutBefore = await cutReplies()
    for (let index = 0; index < 10; index++) await askAndStall(`192.0.2.${index}`, '/api/reports/text')
    await eventually('some are cut', soonMs, async () => (await cutReplies()) > cutBefore)
    assert.ok((await heldBytes(service)) <= bounds.maxBytes)
  })

  it('that hold nearly all there is are told of in the log', async () => {
    lines.splice(0)
    for (let index = 0; index < 8; index++)
      await askAndStall(`192.0.2.${index}`, '/api/reports/text', { tenant: tenants[index % 3] })
    await ask('192.0.2.99', 60).catch(() => undefined) // it may give way to those that come late
    const near = lines.filter(({ msg }) => msg === 'limit nearly reached')
    assert.deepEqual([...new Set(near.map(({ limit }) => limit))], ['reply memory'])
  })

  it('have room for one of each address, however large those of GraphQL may be', async () => {
    assert.equal(await figure(service, 'reply_memory_max_bytes'), bounds.maxBytes)
    assert.equal(defaultReplyMemory(16 * mebibyte).maxBytes, 64 * mebibyte)
    const own = await startService('sqlite', { GRAPHQL_MAX_BYTES: `${64 * mebibyte}` })
    assert.equal(await figure(own, 'reply_memory_max_bytes'), 256 * mebibyte)
    await own.stop()
  })
})

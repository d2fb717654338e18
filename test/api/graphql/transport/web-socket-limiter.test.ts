/** Limits on WebSockets: their number, idle ones, and ones that send too much. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import type { ServiceOptions } from '../../../../src/service/service-options.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { newsFeature } from '../../../support/graphql/public-subscription.ts'
import { ignoreWhatComes, RawSocket, refusedUpgrade } from '../../../support/graphql/raw-socket.ts'
import { sharedService, startService, type TestService } from '../../../support/service.ts'

const tooMany = [1013, 'There are too many WebSockets.']
/** Somebody at an address of its own, behind a proxy. */
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

/** WebSockets of a service, all of which end with the scene. */
class Scene implements AsyncDisposable {
  readonly service: TestService
  readonly #isOwn: boolean
  readonly #sockets: RawSocket[] = []

  /** @param service which outlives the scene, unless the scene has started it */
  constructor(service: TestService, isOwn = false) {
    this.service = service
    this.#isOwn = isOwn
  }

  static async start(options: ServiceOptions): Promise<Scene> {
    return new Scene(await startService('sqlite', {}, options), true)
  }

  async connect(address = '10.0.0.1'): Promise<RawSocket> {
    const socket = await RawSocket.open(this.service.url, from(address))
    this.#sockets.push(socket)
    return socket
  }

  /** @returns one that was acknowledged */
  async enter(payload: object, address?: string): Promise<RawSocket> {
    const socket = await this.connect(address)
    await socket.init(payload)
    return socket
  }

  /** @returns the code and the reason with which it was closed instead */
  async refused(payload: object, address?: string): Promise<[number, string]> {
    const socket = await this.connect(address)
    socket.send({ type: 'connection_init', payload })
    return socket.closed
  }

  get figures(): Promise<string> {
    return this.service.anonymous.get('/metrics').then(({ text }) => text)
  }

  async open(): Promise<number> {
    return Number(/^client_connections\{kind="websocket"\} (\d+)$/m.exec(await this.figures)?.[1])
  }

  async buffered(): Promise<number> {
    return Number(/^client_buffered_bytes (\d+)$/m.exec(await this.figures)?.[1])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) await socket[Symbol.asyncDispose]()
    if (this.#isOwn) await this.service.stop()
  }
}

describe('WebSockets', () => {
  /** With the usual limits. */
  let service: TestService
  before(async () => {
    service = await sharedService('sqlite')
  })
  after(() => service.stop())

  it('of one user are closed with 1013 beyond the bound, and others let in', async () => {
    await using scene = await Scene.start({ webSocketLimits: { user: 3 } })
    const tenant = await scene.service.newTenant()
    const { authorization } = tenant.user.headers
    const [first] = await Promise.all([1, 2, 3].map(() => scene.enter({ authorization })))
    assert.deepEqual(await scene.refused({ authorization }), tooMany)
    await scene.enter({ authorization: tenant.admin.headers['authorization'] })
    first?.socket.close()
    await first?.closed
    await scene.enter({ authorization })
    assert.match(await scene.figures, /client_limits_exceeded_total\{reason="websockets of a user"\} 1\n/)
  })

  it('of one address are refused with 429 and in all with 503, before the upgrade', async () => {
    await using scene = await Scene.start({ webSocketLimits: { total: 8 } })
    const { url } = scene.service
    await scene.connect('2001:db8::1')
    await scene.connect('2001:db8::ffff:1')
    assert.equal(await refusedUpgrade(url, from('2001:db8::2')), 429)
    for (let place = 1; place <= 6; place++) await scene.connect(`2001:db8:0:${place}::1`)
    assert.equal(await refusedUpgrade(url, from('10.0.0.1')), 503)
    assert.equal((await scene.service.anonymous.get('/health/ready')).status, 200)
  })

  it('of one tenant leave as many to the others', async () => {
    await using scene = await Scene.start({ webSocketLimits: { total: 8 } })
    const [one, other] = [await scene.service.newTenant(), await scene.service.newTenant()]
    const { authorization } = one.user.headers
    for (let place = 0; place < 4; place++) await scene.enter({ authorization }, `10.0.0.${place}`)
    assert.deepEqual(await scene.refused({ authorization }, '10.0.0.9'), tooMany)
    await scene.enter({ authorization: other.user.headers['authorization'] }, '10.0.0.10')
  })

  it('by nobody in particular are refused where nothing public can be followed', async () => {
    await using scene = new Scene(service)
    assert.equal((await scene.refused({}))[0], 4401)
  })

  it('by nobody in particular are few from one address', async () => {
    await using scene = await Scene.start({
      features: [newsFeature],
      webSocketLimits: { anonymous: 2, total: 40 },
    })
    await Promise.all([scene.enter({}), scene.enter({})])
    assert.deepEqual(await scene.refused({}), tooMany)
    await scene.enter({}, '10.0.0.2')
    await scene.enter({ authorization: scene.service.host.headers['authorization'] })
  })

  it('by nobody in particular are closed when nothing runs on them, and those of users are not', async () => {
    await using scene = await Scene.start({
      features: [newsFeature],
      webSocketLimits: { anonymousIdleMs: 200 },
    })
    const { host } = scene.service
    const user = await scene.enter({ authorization: host.headers['authorization'] })
    const following = await scene.enter({})
    following.subscribe('1', 'subscription { onNews { name } }')
    const idle = await scene.enter({})
    assert.equal((await idle.run('{ products { id } }')).type, 'next')
    assert.deepEqual(await idle.closed, [1000, 'Idle'])
    await delay(400)
    await host.post('/api/products', { name: 'Lamp', price: 1 })
    assert.deepEqual((await following.inbox.next()).payload, { data: { onNews: { name: 'Lamp' } } })
    assert.equal((await user.run('{ me { userName } }')).type, 'next')
  })

  it('that do not close when they are told to are cut', async () => {
    await using scene = new Scene(service)
    const deaf = await scene.connect()
    ignoreWhatComes(deaf)
    deaf.send('nonsense')
    await eventually('the end of it', soonMs, async () => (await scene.open()) === 0)
  })

  it('count the fragments of a message, whatever stands between them', async () => {
    await using scene = new Scene(service)
    const pinging = await scene.connect()
    for (let count = 0; count < 2; count++) {
      pinging.socket.send('x'.repeat(10_000), { fin: false })
      pinging.socket.ping('y'.repeat(100))
    }
    assert.equal((await pinging.closed)[0], 1009)
    const patient = await scene.connect()
    for (let count = 0; count < 200; count++) {
      patient.socket.ping('y'.repeat(100))
      await once(patient.socket, 'pong')
    }
    await patient.init({ authorization: scene.service.host.headers['authorization'] })
    const slicing = await scene.connect()
    for (let count = 0; count < 100; count++) slicing.socket.send('x', { fin: false })
    assert.equal((await slicing.closed)[0], 1008)
  })

  it('take little before somebody has said who it is', async () => {
    await using scene = new Scene(service)
    const whole = await scene.connect()
    whole.send({ type: 'connection_init', payload: { padding: 'x'.repeat(20_000) } })
    assert.equal((await whole.closed)[0], 1009)
    const part = await scene.connect()
    part.socket.send('x'.repeat(20_000), { fin: false })
    assert.equal((await part.closed)[0], 1009)
  })

  it('are not read any more when they have sent too much before that', async () => {
    await using scene = new Scene(service)
    const accepted: Socket[] = []
    const accept = (message: unknown) => accepted.push((message as { socket: Socket }).socket)
    subscribe('net.server.socket', accept)
    const client = await scene.connect()
    unsubscribe('net.server.socket', accept)
    client.socket.send(Buffer.alloc(1_000_000), { fin: false })
    await client.closed
    const bytesRead = accepted.map((socket) => socket.bytesRead)
    assert.equal(bytesRead.length, 1)
    assert.ok((bytesRead[0] ?? 0) < 300_000, `${bytesRead}`)
  })

  it('together keep no more bytes than there may be: the one with the most is cut', async () => {
    const lines: { msg: string; limit?: string }[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    await using scene = await Scene.start({ log, maxBufferedBytes: 1_000_000 })
    const { authorization } = scene.service.host.headers
    const begin = async (bytes: number) => {
      const socket = await scene.enter({ authorization })
      socket.socket.send(randomBytes(bytes).toString('hex'), { fin: false })
      return socket
    }
    const few = [await begin(100_000), await begin(100_000)]
    const most = await begin(200_000)
    await begin(150_000)
    assert.equal((await most.closed)[0], 1006)
    assert.deepEqual(
      few.map(({ socket }) => socket.readyState),
      [1, 1],
    )
    const held = await scene.buffered()
    const figures = await scene.figures
    assert.ok(held > 400_000 && held <= 1_000_000, `${held}`)
    assert.match(figures, /client_limits_exceeded_total\{reason="buffers"\} 1\n/)
    assert.match(figures, /^client_buffered_max_bytes 1000000$/m)
    const about = (message: string) => lines.filter(({ msg }) => msg === message).map(({ limit }) => limit)
    assert.deepEqual(about('limit nearly reached'), ['buffers'])
    assert.deepEqual(about('limit exceeded'), ['buffers'])
  })

  for (const [reason, bufferedBytes, options] of [
    ['unread bytes', Number.POSITIVE_INFINITY, {}],
    ['unread messages', 0, { stalledMs: 300 }],
  ] as const) {
    it(`that take nothing of what is sent are cut for ${reason}, whatever they say themselves`, async () => {
      await using scene = await Scene.start(options)
      const { authorization } = scene.service.host.headers
      const deaf = await scene.enter({ authorization })
      deaf.socket.pause()
      const living = setInterval(() => deaf.socket.pong(), 50)
      const payload = { text: 'x'.repeat(400_000) }
      const isCut = async () => {
        if ((await scene.buffered()) <= bufferedBytes) deaf.send({ type: 'ping', payload })
        return (await scene.open()) === 0
      }
      await eventually('the end of it', soonMs, isCut)
      clearInterval(living)
      const figures = await scene.figures
      assert.match(figures, new RegExp(`^client_limits_exceeded_total\\{reason="${reason}"\\} 1$`, 'm'))
    })
  }
})

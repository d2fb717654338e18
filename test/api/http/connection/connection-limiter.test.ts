/** Limits on connections, in total and for one address, and the rejection of further ones. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { startService, type TestService } from '../../../support/service.ts'

const settings = { HOST: '127.0.0.1', TRUST_PROXY: 'false', MAX_CONNECTIONS: '40' }
/** Of 40. */
const quarter = 10
const health = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'

describe('Connections', () => {
  it('of one address are refused with 429 beyond a quarter, and those of others answered', async () => {
    const service = await startService('sqlite', settings)
    await using crowd = new Crowd(service)
    for (let count = 0; count < quarter; count++) await crowd.enter('127.0.0.2')
    const refused = await crowd.open('127.0.0.2')
    assert.match(await heard(refused), /^HTTP\/1\.1 429 [\s\S]*retry-after: \d+[\s\S]*\{"message":".+"\}$/i)
    assert.equal((await service.anonymous.get('/health/ready')).status, 200)
    await crowd.enter('127.0.0.3')
    crowd.leave('127.0.0.2')
    await eventually('room again', soonMs, async () => {
      return (await answer(await crowd.open('127.0.0.2'))).startsWith('HTTP/1.1 200')
    })
  })

  it('are refused with 503 beyond all there may be, while open ones go on', async () => {
    const service = await startService('sqlite', settings)
    await using crowd = new Crowd(service)
    const first = await crowd.enter('127.0.0.2')
    let told = ''
    for (let place = 3; !told.includes(' 503 '); place++) {
      assert.ok(place < 60, 'nobody is refused')
      told = await answer(await crowd.open(`127.0.0.${place}`))
    }
    assert.match(told, /^HTTP\/1\.1 503 [\s\S]*retry-after: \d+/i)
    first.write(health)
    assert.match(String((await once(first, 'data'))[0]), /^HTTP\/1\.1 200 /)
  })

  it('of a proxy are not counted as those of one client', async () => {
    const service = await startService('sqlite', { ...settings, TRUST_PROXY: '127.0.0.2' })
    await using crowd = new Crowd(service)
    for (let count = 0; count < 2 * quarter; count++) await crowd.enter('127.0.0.2')
  })

  it('are figures by kind, and a line of the log when a limit is near and when it is exceeded', async () => {
    const lines: { msg: string; limit?: string }[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const service = await startService('sqlite', settings, { log })
    await using crowd = new Crowd(service)
    const figures = async () => (await service.anonymous.get('/metrics')).text
    const own = await openOf(figures)
    for (let count = 0; count < 40 - own; count++) await crowd.open(`127.0.0.${count + 2}`)
    for (let count = 0; count < 5; count++) await heard(await crowd.open('127.0.0.42'))
    const about = (message: string) => lines.filter(({ msg }) => msg === message).map(({ limit }) => limit)
    assert.deepEqual(about('limit nearly reached'), ['connections'])
    assert.deepEqual(about('limit exceeded'), ['connections'])
    const text = await figures()
    assert.match(text, /^client_connections\{kind="plain"\} 40$/m)
    assert.match(text, /^client_connections_max 40$/m)
    assert.match(text, /^client_limits_exceeded_total\{reason="connections"\} [5-9]$/m)
  })

  it('whose client takes nothing of its replies are cut', async () => {
    const service = await startService('sqlite', {}, { stalledMs: 300 })
    await using crowd = new Crowd(service)
    const figures = async () => (await service.anonymous.get('/metrics')).text
    const open = () => openOf(figures)
    const others = await open()
    const deaf = await crowd.open('127.0.0.2')
    deaf.pause()
    assert.equal(await open(), others + 1)
    // More than the operating system takes for a reader.
    deaf.write('GET /swagger/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(30))
    await eventually('the end of it', soonMs, async () => (await open()) <= others)
    assert.match(await figures(), /^client_limits_exceeded_total\{reason="unread replies"\} 1$/m)
  })
})

async function openOf(figures: () => Promise<string>): Promise<number> {
  return Number(/^client_connections\{kind="plain"\} (\d+)$/m.exec(await figures())?.[1])
}

/** Raw connections from several addresses of this machine. */
class Crowd implements AsyncDisposable {
  readonly #service: TestService
  readonly #sockets: [address: string, socket: Socket][] = []

  constructor(service: TestService) {
    this.#service = service
  }

  async open(localAddress: string): Promise<Socket> {
    const port = Number(new URL(this.#service.url).port)
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.on('error', () => undefined) // it is closed then
    this.#sockets.push([localAddress, socket])
    await once(socket, 'connect')
    return socket
  }

  /** Opens a connection that is answered, and stays. */
  async enter(address: string): Promise<Socket> {
    const socket = await this.open(address)
    assert.match(await answer(socket), /^HTTP\/1\.1 200 /)
    return socket
  }

  leave(address: string): void {
    for (const [from, socket] of this.#sockets) if (from === address) socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const [, socket] of this.#sockets) socket.destroy()
    await this.#service.stop()
  }
}

async function answer(socket: Socket): Promise<string> {
  socket.write(health)
  return String((await once(socket, 'data'))[0])
}

async function heard(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  await once(socket, 'close')
  return text
}

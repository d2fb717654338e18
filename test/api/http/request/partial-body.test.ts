/** Bodies that arrive slowly, and the memory that they hold meanwhile. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'
import { SlowBody } from './slow-body.ts'

const kibibyte = 1024
const maxBytes = 400 * kibibyte
const maxAddressBytes = 200 * kibibyte
const part = ' '.repeat(90 * kibibyte)
const product = '{"name":"Desk","price":1}'
const length = part.length + product.length

describe('A body that has come in part', () => {
  let service: TestService
  let tenant: TestTenant
  const opened: SlowBody[] = []
  const lines: { msg: string; limit?: string }[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  before(async () => {
    service = await startService('sqlite', {}, { log, bodyMemory: { maxBytes, maxAddressBytes } })
    tenant = await service.newTenant()
  })
  afterEach(async () => {
    for (const body of opened.splice(0)) body.destroy()
    await holding(0)
  })
  after(() => service.stop())

  const figures = async () => (await service.anonymous.get('/metrics')).text
  const heldBytes = async () => Number(/^request_body_bytes (\S+)$/m.exec(await figures())?.[1])
  const holding = (bytes: number) =>
    eventually(`${bytes} bytes are held`, soonMs, async () => (await heldBytes()) === bytes)

  async function begin(address: string, path = '/api/products', size = length): Promise<SlowBody> {
    const { authorization = '' } = tenant.user.headers
    const headers = { authorization, 'x-forwarded-for': address }
    const body = await SlowBody.begin(service.url, { path, headers, length: size })
    opened.push(body)
    return body
  }

  /** Its bytes are there when this returns. */
  async function beginPart(address: string, path?: string): Promise<SlowBody> {
    const heldBefore = await heldBytes()
    const body = await begin(address, path)
    body.write(part)
    await eventually('a part is held', soonMs, async () => (await heldBytes()) >= heldBefore + part.length)
    return body
  }

  async function assertCut(body: SlowBody): Promise<void> {
    const { status, text } = await body.answer()
    assert.equal(status, 503, text)
    assert.match(text, /^retry-after: 1\r$/im)
    assert.ok(text.endsWith('{"message":"Too many request bodies are being received."}'), text)
  }

  async function assertTaken(body: SlowBody): Promise<void> {
    body.write(product)
    const { status, text } = await body.answer()
    assert.equal(status, 201, text)
  }

  it('is held until it is complete, and no longer', async () => {
    const body = await beginPart('192.0.2.1')
    assert.ok((await heldBytes()) <= 2 * part.length)
    await assertTaken(body)
    await holding(0)
    const gone = await beginPart('192.0.2.1')
    gone.destroy()
    await holding(0)
  })

  it('is cut when its address has others that hold too much, and began later', async () => {
    const oldest = await beginPart('192.0.2.1')
    const elsewhere = await beginPart('192.0.2.2')
    const [second, newest] = [await begin('192.0.2.1'), await begin('192.0.2.1')]
    second.write(part)
    newest.write(part)
    await assertCut(oldest)
    assert.match(await figures(), /^client_limits_exceeded_total\{reason="request bodies"\} 1$/m)
    await assertTaken(elsewhere)
    await assertTaken(second)
    await assertTaken(newest)
  })

  it('is cut when all of them hold too much, the oldest first', async () => {
    const oldest = await beginPart('192.0.2.1')
    const others = await Promise.all([2, 3, 4, 5].map((last) => begin(`192.0.2.${last}`)))
    lines.splice(0)
    for (const other of others) other.write(part)
    await assertCut(oldest)
    assert.ok(lines.some(({ msg, limit }) => msg === 'limit nearly reached' && limit === 'request bodies'))
    assert.match(await figures(), new RegExp(`^request_body_max_bytes ${maxBytes}$`, 'm'))
    for (const other of others) await assertTaken(other)
  })

  it('counts whatever it is: a document, a webhook', async () => {
    for (const path of ['/graphql', '/api/webhooks/receive/stripe']) {
      const body = await beginPart('192.0.2.1', path)
      body.destroy()
      await holding(0)
    }
  })

  it('holds nothing when it is small and comes at once', async () => {
    const many = await Promise.all(
      Array.from({ length: 20 }, () => tenant.user.post('/api/products', product)),
    )
    assert.deepEqual([...new Set(many.map(({ status }) => status))], [201])
    assert.equal(await heldBytes(), 0)
  })

  it('arrives as it was sent, however it is cut up', async () => {
    const { authorization = '' } = tenant.user.headers
    for (const [size, announced] of [
      [1, false],
      [7, true],
      [1000, false],
      [5000, true],
    ] as const) {
      const name = `Desk ${size}`
      const text = `{"name":"${name}","more":"${'x'.repeat(Math.max(3000, size * 20))}","price":${size}}`
      const headers = { authorization, 'x-forwarded-for': '192.0.2.1' }
      const framing = announced ? { length: text.length } : {}
      const body = await SlowBody.begin(service.url, { path: '/api/products', headers, ...framing })
      for (let place = 0; place < text.length; place += size) body.write(text.slice(place, place + size))
      body.end()
      const { status, text: reply } = await body.answer()
      assert.equal(status, 201, reply)
      assert.match(reply, new RegExp(`"name":"${name}".*"price":${size}\\b`))
    }
  })
})

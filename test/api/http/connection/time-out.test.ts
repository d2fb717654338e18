import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Connection, halves, open } from '../../../support/http/connection.ts'
import { startService, type TestService } from '../../../support/service.ts'

/** The shortest that can be set. */
const REQUEST_TIMEOUT_MS = '1000'
/** Of headers, whatever is set. */
const usualTimeoutMs = 10_000

describe('A request that takes too long to arrive', { concurrency: true }, () => {
  let service: TestService
  before(async () => {
    service = await startService('sqlite', { REQUEST_TIMEOUT_MS })
  })
  after(() => service.stop())

  const slow: [what: string, bytes: () => string][] = [
    ['whose headers do not end', () => 'POST /api/products HTTP/1.1\r\nhost: localhost\r\ncontent-'],
    [
      'whose body does not come',
      () => halves('/api/products', { ...service.host.headers }, '{"name":"Desk","price":1}')[0],
    ],
  ]
  for (const [what, bytes] of slow) {
    it(`is answered with 408 and cut off: one ${what}`, async () => {
      const began = performance.now()
      const heard = await (await open(service.url, bytes())).heard
      const tookMs = performance.now() - began
      const [head = '', body = ''] = heard.split('\r\n\r\n')
      assert.match(head, /^HTTP\/1\.1 408 Request Timeout\r\n/)
      assert.match(head, /\r\ncontent-type: application\/json/i)
      assert.match(head, /\r\nconnection: close/i)
      assert.deepEqual(JSON.parse(body), { message: 'The request took too long to arrive.' })
      assert.ok(tookMs >= 900 && tookMs < usualTimeoutMs, `it took ${tookMs} ms`)
    })
  }

  it('is cut off as well when it drips in byte by byte', async () => {
    const began = performance.now()
    const connection = await open(service.url, 'GET /health/live HTTP/1.1\r\n')
    const drip = setInterval(() => connection.send('a'), 100)
    const heard = await connection.heard.finally(() => clearInterval(drip))
    assert.match(heard, /^HTTP\/1\.1 408 /)
    assert.ok(performance.now() - began < usualTimeoutMs)
  })

  it('harms nobody else, and a connection that only waits is kept', async () => {
    const [slowOne, waiting] = await Promise.all([
      open(service.url, 'GET /health/live HTTP/1.1\r\n'),
      open(service.url, 'GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n'),
    ])
    while (!slowOne.socket.closed) {
      assert.equal((await service.anonymous.get('/health/live')).status, 200)
      await delay(50)
    }
    await assertAnswers(waiting, 1)
    waiting.send('GET /health/live HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
    await assertAnswers(waiting, 2)
  })
})

async function assertAnswers(connection: Connection, count: number): Promise<void> {
  if (count > 1) await connection.heard
  assert.equal(connection.text.match(/HTTP\/1\.1 200 OK/g)?.length, count)
}

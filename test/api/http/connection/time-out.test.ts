import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Connection, halves, open } from '../../../support/http/connection.ts'
import { createAdmin } from '../../../support/process/administrator.ts'
import { type RunningService, Workplace } from '../../../support/process/workplace.ts'

/** The shortest that can be set, and how late it may come: the server looks twice a second. */
const REQUEST_TIMEOUT_MS = '1000'
const latestMs = 5000

describe('A request that takes too long to arrive', () => {
  const place = new Workplace({ REQUEST_TIMEOUT_MS })
  let service: RunningService
  let authorization: string
  before(async () => {
    service = await place.serve()
    authorization = (await createAdmin(service)).authorization
  })
  after(() => place[Symbol.asyncDispose]())

  const slow: [what: string, bytes: () => string][] = [
    ['whose headers do not end', () => 'POST /api/products HTTP/1.1\r\nhost: localhost\r\ncontent-'],
    [
      'whose body does not come',
      () => halves('/api/products', { authorization }, '{"name":"Desk","price":1}')[0],
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
      assert.ok(tookMs >= 900 && tookMs < latestMs, `it took ${tookMs} ms`)
    })
  }

  it('is cut off as well when it drips in byte by byte', async () => {
    const began = performance.now()
    const connection = await open(service.url, 'GET /health/live HTTP/1.1\r\n')
    const drip = setInterval(() => connection.send('a'), 100)
    const heard = await connection.heard.finally(() => clearInterval(drip))
    assert.match(heard, /^HTTP\/1\.1 408 /)
    assert.ok(performance.now() - began < latestMs)
  })

  it('harms nobody else, and a connection that only waits is kept', async () => {
    const [slowOne, waiting] = await Promise.all([
      open(service.url, 'GET /health/live HTTP/1.1\r\n'),
      open(service.url, 'GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n'),
    ])
    while (!slowOne.socket.closed) {
      assert.equal((await service.anonymous.get('/health/live')).status, 200)
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

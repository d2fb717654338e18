/** What a stop does to requests: those under way, those that still come, and connections without any. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from '../support/database/inspect.ts'
import { insertLargeProducts } from '../support/database/store.ts'
import { soonMs } from '../support/eventually.ts'
import { askThrough, type Heard, open, refused } from '../support/http/connection.ts'
import { startService, type TestService } from '../support/service.ts'

/** Long enough for a client that takes a fifth of it. */
const lingerMs = 1500

describe('A service that stops', () => {
  let service: TestService
  beforeEach(async () => {
    service = await startService('sqlite', {}, { lingerMs })
  })
  afterEach(() => service.stop())

  it('sends a list that it has begun to its end', async () => {
    const rows = 2000
    await insertLargeProducts((sql) => inspect(service.config.databaseUrl, sql), rows)
    const agent = new Agent({ keepAlive: true })
    const [list] = (await once(get(`${service.url}/api/products`, { agent }), 'response')) as [
      IncomingMessage,
    ]
    await once(list, 'readable')
    const ended = service.service.stop()
    await refused(service.url)
    assert.equal(((await json(list)) as unknown[]).length, rows)
    await ended
    agent.destroy()
  })

  it('answers what still comes on an open connection, and tells the client to close it', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = () => askThrough(agent, `${service.url}/health/live`)
    assert.equal((await ask()).headers.connection, 'keep-alive')
    const ended = service.service.stop()
    let last: Heard
    do {
      last = await ask()
      assert.equal(last.status, 200)
    } while (last.headers.connection !== 'close')
    await ended
    agent.destroy()
  })

  it('answers a client that takes its time for the next request', async () => {
    const question = 'GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const connection = await open(service.url, question)
    while (!connection.text.includes('\r\n\r\n')) await once(connection.socket, 'data')
    const ended = service.service.stop()
    await refused(service.url)
    await delay(lingerMs / 5)
    connection.send(question)
    const heard = await connection.heard
    assert.equal(heard.split('HTTP/1.1 200 OK').length, 3, heard)
    assert.match(heard, /\r\nconnection: close\r\n/i)
    await ended
  })

  it('does not wait for connections that ask nothing', async () => {
    const idle = await open(service.url, 'GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n')
    const silent = await open(service.url)
    const halfway = await open(service.url, 'GET /health/live HTTP/1.1\r\nhost:')
    const afterHalf = halfway.heard.catch(assertReset) // TCP resets where bytes were not read
    await delay(200)
    const began = performance.now()
    await service.service.stop()
    assert.ok(performance.now() - began < soonMs) // an idle connection is kept for longer
    assert.match(await idle.heard, /^HTTP\/1\.1 200 OK/)
    assert.equal(await silent.heard, '')
    assert.equal(await afterHalf, '')
  })
})

function assertReset(error: NodeJS.ErrnoException): string {
  assert.equal(error.code, 'ECONNRESET')
  return ''
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { insertLargeProducts, openStore } from '../support/database/store.ts'
import { askThrough, type Heard, halves, open, refused } from '../support/http/connection.ts'
import { createAdmin } from '../support/process/administrator.ts'
import { npmEnvironment } from '../support/process/package.ts'
import { project, Workplace } from '../support/process/workplace.ts'

const product = JSON.stringify({ name: 'Desk', price: 19.99 })

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  describe(`${signal}`, () => {
    it('lets a request whose body is still on its way finish, and refuses new connections', async () => {
      await using store = await openStore('sqlite')
      await using place = new Workplace(store.settings)
      const service = await place.serve()
      const { authorization } = await createAdmin(service)
      const [first, rest] = halves('/api/products', { authorization }, product)
      const connection = await open(service.url, first)
      await delay(100)
      const ended = service.stop(signal)
      await refused(service.url)
      connection.send(rest)
      const heard = await connection.heard
      assert.match(heard, /^HTTP\/1\.1 201 Created\r\n/)
      assert.match(heard, /\r\nconnection: close\r\n/i)
      const { code, stderr } = await ended
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
      assert.deepEqual(await store.productNames(), ['Desk'])
    })
  })
}

describe('A service that stops', () => {
  it('sends a list that it has begun to its end', async () => {
    await using store = await openStore('sqlite')
    await using place = new Workplace(store.settings)
    assert.equal((await place.run(['migrate'])).code, 0)
    const rows = 3000
    await insertLargeProducts(store, rows)
    const service = await place.serve()
    const agent = new Agent({ keepAlive: true })
    const [list] = (await once(get(`${service.url}/api/products`, { agent }), 'response')) as [
      IncomingMessage,
    ]
    await once(list, 'readable')
    const ended = service.stop()
    await refused(service.url)
    assert.equal(((await json(list)) as unknown[]).length, rows)
    assert.equal((await ended).code, 0)
    agent.destroy()
  })

  it('answers what still comes on an open connection, and tells the client to close it', async () => {
    await using place = new Workplace()
    const service = await place.serve()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask50 = Array.from({ length: 50 }, () => () => askThrough(agent, `${service.url}/health/live`))
    for (const askOnce of ask50) assert.equal((await askOnce()).headers.connection, 'keep-alive')
    const ended = service.stop()
    let last: Heard
    do {
      last = await askThrough(agent, `${service.url}/health/live`)
      assert.equal(last.status, 200)
    } while (last.headers.connection !== 'close')
    assert.equal((await ended).code, 0)
    agent.destroy()
  })

  it('answers a client that takes its time for the next request', async () => {
    await using place = new Workplace()
    const service = await place.serve()
    const question = 'GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const connection = await open(service.url, question)
    while (!connection.text.includes('\r\n\r\n')) await once(connection.socket, 'data')
    const ended = service.stop()
    await refused(service.url)
    await delay(400)
    connection.send(question)
    const heard = await connection.heard
    assert.equal(heard.split('HTTP/1.1 200 OK').length, 3, heard)
    assert.match(heard, /\r\nconnection: close\r\n/i)
    assert.equal((await ended).code, 0)
  })

  it('does not wait for connections that ask nothing', async () => {
    await using place = new Workplace()
    const service = await place.serve()
    const idle = await open(service.url, 'GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n')
    const silent = await open(service.url)
    const halfway = await open(service.url, 'GET /health/live HTTP/1.1\r\nhost:')
    const afterHalf = halfway.heard.catch(assertReset) // TCP resets where bytes were not read
    await delay(200)
    const began = performance.now()
    const { code } = await service.stop()
    assert.equal(code, 0)
    assert.ok(performance.now() - began < 5000)
    assert.match(await idle.heard, /^HTTP\/1\.1 200 OK/)
    assert.equal(await silent.heard, '')
    assert.equal(await afterHalf, '')
  })

  it('takes the signal that npm sends after the one of the terminal for the same', async () => {
    await using place = new Workplace()
    const service = await place.serve()
    const { authorization } = await createAdmin(service)
    const [first, rest] = halves('/api/products', { authorization }, product)
    const connection = await open(service.url, first)
    await delay(100)
    service.process.kill('SIGINT')
    await delay(30)
    const ended = service.stop('SIGINT')
    await refused(service.url)
    connection.send(rest)
    assert.match(await connection.heard, /^HTTP\/1\.1 201 /)
    assert.equal((await ended).code, 0)
  })

  it('stops with the npm that has started it', async () => {
    await using place = new Workplace()
    const settings = { ...npmEnvironment(), PORT: '0', DATA_DIR: place.folder }
    const npm = place.start(['start'], { command: ['npm'], folder: project, settings })
    const [, url = ''] = await npm.waitFor(/^Tenantry listens on (\S+)$/m)
    const { stdout } = await npm.stop()
    await refused(url)
    assert.match(stdout, /"msg":"stopped"/)
  })

  it('is ended by a second signal', async () => {
    await using place = new Workplace()
    const service = await place.serve()
    const { authorization } = await createAdmin(service)
    const [first] = halves('/api/products', { authorization }, product)
    const connection = await open(service.url, first)
    await delay(100)
    service.process.kill('SIGTERM')
    await refused(service.url)
    await delay(400)
    const { code, signal, stdout } = await service.stop('SIGTERM')
    assert.deepEqual({ code, signal }, { code: 1, signal: null })
    assert.match(stdout, /"reason":"a second signal, SIGTERM","msg":"stopped with requests in flight"/)
    assert.equal(await connection.heard, '')
  })
})

function assertReset(error: NodeJS.ErrnoException): string {
  assert.equal(error.code, 'ECONNRESET')
  return ''
}

/** Replies that are written one after the other, by the end of the turn of the event loop in which they were made. */
import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { writeTogether } from '../../../../src/api/http/reply/write-together.ts'
import { sharedService, type TestService, type TestTenant } from '../../../support/service.ts'

describe('Short replies', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await sharedService('sqlite')
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  it('wait for the end of their turn, and are written in their order', async () => {
    const written: number[] = []
    await turnOf(2)
    for (const each of [1, 2, 3]) writeTogether(() => written.push(each))
    await Promise.resolve()
    assert.deepEqual(written, [])
    await nextTurn()
    assert.deepEqual(written, [1, 2, 3])
  })

  it('are written at once when sixteen wait', async () => {
    let written = 0
    await turnOf(2)
    for (let count = 0; count < 15; count++) writeTogether(() => written++)
    assert.equal(written, 0)
    writeTogether(() => written++)
    assert.equal(written, 16)
    writeTogether(() => written++)
    assert.equal(written, 16)
    await nextTurn()
    assert.equal(written, 17)
  })

  it('leave at once after a turn that had a single one, and the next of the same turn wait', async () => {
    const written: number[] = []
    await turnOf(1)
    for (const each of [1, 2, 3]) writeTogether(() => written.push(each))
    assert.deepEqual(written, [1])
    await nextTurn()
    assert.deepEqual(written, [1, 2, 3])
    writeTogether(() => written.push(4))
    assert.deepEqual(written, [1, 2, 3])
  })

  it('reach every client of many that ask at once, in the order of the requests of each', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `Together ${index}`)
    const made = await Promise.all(
      names.map((name) => tenant.admin.post('/api/products', { name, price: 1 })),
    )
    const replies = await Promise.all(made.map(({ body }) => pipelined(body['id'])))
    assert.deepEqual(
      replies,
      names.map((name) => [200, name, 404, 200, name]),
    )
  })

  it('are given up for clients that have gone, while others get theirs', async () => {
    const { body: product } = await tenant.admin.post('/api/products', { name: 'Kept', price: 1 })
    const path = `/api/products/${product['id']}`
    const asked = Array.from({ length: 40 }, async (_, index) => {
      if (index % 2 === 0) return (await tenant.admin.get(path)).status
      const gone = await openSocket(`GET ${path} HTTP/1.1\r\nhost: a\r\n${credentials()}\r\n`)
      gone.resetAndDestroy()
      return 200
    })
    assert.deepEqual(new Set(await Promise.all(asked)), new Set([200]))
    assert.equal((await tenant.admin.get(path)).body['name'], 'Kept')
  })

  async function turnOf(replies: number): Promise<void> {
    for (let count = 0; count < replies; count++) writeTogether(() => undefined)
    await nextTurn()
  }

  function credentials(): string {
    return Object.entries(tenant.admin.headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
  }

  async function openSocket(text: string): Promise<Socket> {
    const { hostname, port } = new URL(service.url)
    const socket = new Socket()
    await new Promise<void>((done) => socket.connect(Number(port), hostname, done))
    socket.write(text)
    return socket
  }

  /** Three requests in one packet. @returns status and name of each reply, the second of a row that does not exist */
  async function pipelined(id: string): Promise<unknown[]> {
    const request = (path: string, more = '') =>
      `GET ${path} HTTP/1.1\r\nhost: a\r\n${credentials()}${more}\r\n`
    const paths = [`/api/products/${id}`, '/api/products/00000000-0000-7000-8000-000000000000']
    const [found = '', missing = ''] = paths
    const socket = await openSocket(
      request(found) + request(missing) + request(found, 'connection: close\r\n'),
    )
    let text = ''
    for await (const chunk of socket) text += chunk
    return [...text.matchAll(/HTTP\/1\.1 (\d+)|"name":"(Together \d+)"/g)].map(([, status, name]) =>
      status === undefined ? name : Number(status),
    )
  }
})

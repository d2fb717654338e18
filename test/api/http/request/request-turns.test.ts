/** Simultaneous requests are served in turn, whoever sent how many of them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, it } from 'node:test'
import type { Client } from '../../../support/client.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { newProduct } from '../../../support/orders.ts'
import { sharedService, type TestService, type TestTenant } from '../../../support/service.ts'

const burst = 200

onEitherDatabase('A burst of requests', (database) => {
  let service: TestService
  let sender: TestTenant
  let other: TestTenant
  before(async () => {
    service = await sharedService(database)
    sender = await service.newTenant()
    other = await service.newTenant()
    await Promise.all(Array.from({ length: 50 }, () => newProduct(sender.user)))
  })
  after(() => service.stop())

  /** Accepted by the service as well. */
  async function open(): Promise<Socket> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    await ask(socket, service.anonymous, '/health/live')
    return socket
  }

  const ask = (socket: Socket, { headers }: Client, path: string): Promise<string> => {
    const authorization = headers['authorization'] ?? ''
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`)
    return once(socket, 'data').then(([bytes]) => String(bytes).slice(0, 'HTTP/1.1 200'.length))
  }

  it('of one tenant makes another wait for its turn, not for the burst', async () => {
    const sockets = await Promise.all(Array.from({ length: burst + 1 }, open))
    const last = sockets.pop()
    assert.ok(last !== undefined)
    let answered = 0
    const replies = sockets.map(async (socket) => {
      const reply = await ask(socket, sender.user, '/api/products?limit=50')
      answered++
      return reply
    })
    assert.equal(await ask(last, other.user, '/api/products?limit=50'), 'HTTP/1.1 200')
    assert.ok(answered < burst / 2, `${answered} of ${burst} were answered before`)
    assert.deepEqual(new Set(await Promise.all(replies)), new Set(['HTTP/1.1 200']))
    for (const socket of [...sockets, last]) socket.destroy()
  })
})

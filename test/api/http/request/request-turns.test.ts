/** Simultaneous requests are served in turn, whoever sent how many of them. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, it } from 'node:test'
import type { Client } from '../../../support/client.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { newProduct } from '../../../support/orders.ts'
import { sharedService, type TestService, type TestTenant, uniqueName } from '../../../support/service.ts'

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
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`)
    return once(socket, 'data').then(([bytes]) => String(bytes).slice(0, 'HTTP/1.1 200'.length))
  }

  const list = '/api/products?limit=50'

  /** @param last asks when all of the burst have asked */
  async function isOvertaken(senders: readonly Client[], last: Client): Promise<void> {
    const sockets = await Promise.all(Array.from({ length: burst }, open))
    const socket = await open()
    await last.get(list) // its tenant and its session are known from now on
    let answered = 0
    const replies = sockets.map(async (each, index) => {
      const reply = await ask(each, senders[index % senders.length] as Client, list) // within
      answered++
      return reply
    })
    assert.equal(await ask(socket, last, list), 'HTTP/1.1 200')
    assert.ok(answered < burst / 2, `${answered} of ${burst} were answered before`)
    assert.deepEqual(new Set(await Promise.all(replies)), new Set(['HTTP/1.1 200']))
    for (const each of [...sockets, socket]) each.destroy()
  }

  const stranger = (id: string, address: string): Client =>
    service.anonymous.with({ 'x-tenant-id': id, 'x-forwarded-for': address })

  it('of one tenant makes another wait for its turn, not for the burst', async () => {
    await isOvertaken([sender.user], other.user)
  })

  it('of one network for many tenants makes another network wait for its turn', async () => {
    const ids = Array.from({ length: burst }, () => uniqueName('tenant'))
    await Promise.all(ids.map((id) => service.host.post('/api/tenants', { id, name: id })))
    await isOvertaken(
      ids.map((id) => stranger(id, '192.0.2.1')),
      stranger(other.id, '198.51.100.1'),
    )
  })

  it('of many networks for one tenant makes a stranger to another tenant wait for its turn', async () => {
    await isOvertaken(
      Array.from({ length: burst }, (_each, index) => stranger(sender.id, `192.0.2.${index}`)),
      stranger(other.id, '198.51.100.1'),
    )
  })
})

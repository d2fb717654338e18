import assert from 'node:assert/strict'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { halves, open, refused } from '../../../support/http/connection.ts'
import { Workplace } from '../../../support/process/workplace.ts'
import { startService } from '../../../support/service.ts'

let addresses: string[] = []

before(async () => {
  addresses = (await lookup('localhost', { all: true })).map(({ address }) => address)
})

describe('Localhost, which may have two addresses', () => {
  const at = (address: string, url: string) => {
    const { port } = new URL(url)
    return `http://${address.includes(':') ? `[${address}]` : address}:${port}`
  }

  it('has the service at each, which lets the requests of each finish, and then refuses each', async () => {
    const service = await startService('sqlite')
    const { authorization = '' } = service.host.headers
    const [first, rest] = halves('/api/products', { authorization }, '{"name":"Desk","price":1}')
    const connections = await Promise.all(addresses.map((address) => open(at(address, service.url), first)))
    await delay(100)
    const ended = service.stop()
    for (const address of addresses) await refused(at(address, service.url))
    for (const connection of connections) {
      connection.send(rest)
      assert.match(await connection.heard, /^HTTP\/1\.1 201 Created\r\n[\s\S]*connection: close/i)
    }
    await ended
  })

  it('the start fails when somebody else listens at one of them', async () => {
    await using place = new Workplace()
    for (const address of addresses) {
      const other = createServer().listen(0, address)
      await once(other, 'listening')
      const PORT = String(Object(other.address()).port)
      const { code, stderr } = await place.run(['serve'], { settings: { PORT } })
      assert.equal(code, 1)
      assert.match(stderr, new RegExp(`^tenantry: Port ${PORT} on localhost is in use: [^\\n]+\\n$`))
      other.close()
    }
  })
})

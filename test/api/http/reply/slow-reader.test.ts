/** Clients that request much and read nothing. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, afterEach, before, it } from 'node:test'
import { onEitherDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { fillWithProducts } from '../../../support/product-rows.ts'
import { atAnyCost, startService, type TestService, type TestTenant } from '../../../support/service.ts'

const mebibyte = 1024 * 1024
/** 9 MB as JSON: more than the kernel takes for a client that reads nothing. */
const rows = 800
const maxAddressBytes = 12 * mebibyte

onEitherDatabase('A client that reads nothing', (database) => {
  let service: TestService
  let tenant: TestTenant
  let other: TestTenant
  const sockets: Socket[] = []
  before(async () => {
    const replyMemory = { maxBytes: 64 * mebibyte, maxTenantBytes: 40 * mebibyte, maxAddressBytes }
    service = await startService(database, {}, { ...atAnyCost, replyMemory, stalledMs: 1000 })
    tenant = await service.newTenant()
    other = await service.newTenant()
    await fillWithProducts(service, tenant, rows)
    await fillWithProducts(service, other, 100)
  })
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy()
  })
  after(() => service.stop())

  /** Asks, and takes nothing but what the kernel does by itself. */
  async function askAndStall(path: string): Promise<Socket> {
    const { hostname, port } = new URL(service.url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => undefined) // it is to be cut
    socket.pause()
    sockets.push(socket)
    await once(socket, 'connect')
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Tenant-Id: ${tenant.id}\r\nAuthorization: ${tenant.user.headers['authorization']}\r\n\r\n`,
    )
    return socket
  }

  const heldBytes = async () => {
    const { text } = await service.anonymous.get('/metrics')
    return Number(/^reply_memory_bytes (\S+)$/m.exec(text)?.[1])
  }

  const graphql = `/graphql?query=${encodeURIComponent('{ products { description } }')}`

  for (const path of ['/api/products', graphql]) {
    it(`holds little memory, and is cut: ${path.slice(0, 13)}`, async () => {
      const stalled = await Promise.all(Array.from({ length: 8 }, () => askAndStall(path)))
      await eventually('memory is held', soonMs, async () => (await heldBytes()) > 0)
      assert.ok((await heldBytes()) <= maxAddressBytes)
      // Others are served meanwhile, from the same address and of the same size.
      const small = await service.anonymous.get('/api/products?limit=1', { 'x-tenant-id': tenant.id })
      assert.equal(small.body.length, 1)
      const large = await service.anonymous.get('/api/products', {
        'x-tenant-id': other.id,
        'x-forwarded-for': '203.0.113.9',
      })
      assert.equal(large.body.length, 100)
      await eventually('memory is free', soonMs, async () => (await heldBytes()) === 0)
      // A socket learns of its end when it reads; those that were refused go on.
      for (const socket of stalled) socket.resume()
      const isCut = async () => stalled.some(({ readyState }) => readyState !== 'open')
      await eventually('the others are cut', soonMs, isCut)
    })
  }

  it('is not who reads slowly', async () => {
    const socket = await askAndStall('/api/products')
    let bytes = 0
    socket.on('data', (chunk) => {
      bytes += chunk.length
      socket.pause()
      setTimeout(() => socket.resume(), 20)
    })
    let text = ''
    socket.on('data', (chunk) => {
      text = (text + chunk.toString('latin1')).slice(-8)
    })
    socket.resume()
    await eventually('all is read', 60_000, async () => text.endsWith('0\r\n\r\n'))
    assert.ok(bytes > rows * 12_000)
  })
})

/** Whoever reads a file slowly, by a link and without a token, leaves places to the others of the tenant. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually, soonMs } from '../support/eventually.ts'
import { pdf } from '../support/files/contents.ts'
import { type Connection, open } from '../support/http/connection.ts'
import { startService, type TestService } from '../support/service.ts'
import { download, pathOf, upload } from './scene.ts'

/** More than the buffers of a connection take. */
const size = 24 * 1024 * 1024
const ofNetwork = 32

describe('A download that nobody reads', () => {
  let service: TestService
  before(async () => {
    service = await startService('sqlite')
  })
  after(() => service.stop())

  it('keeps a place, and one network has half of those of a tenant', async () => {
    const tenant = await service.newTenant()
    const { body } = await upload(tenant.admin, Buffer.concat([pdf(), Buffer.alloc(size)]))
    const path = pathOf((await tenant.admin.get(`/api/files/${body.id}/link`)).body.url)
    const from = (network: string) => ({ 'x-forwarded-for': network, range: 'bytes=0-3' })
    const connections: Connection[] = []
    const { transfers } = (await service.service.operator()).shared.files
    try {
      for (let number = 0; number < ofNetwork; number++) {
        const connection = await open(service.url)
        connection.socket.pause()
        connection.send(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 10.0.0.1\r\n\r\n`)
        connections.push(connection)
      }
      await eventually('all are on their way', soonMs, async () => transfers.total === ofNetwork)
      assert.equal((await download(service.anonymous, path, from('10.0.0.1'))).status, 503)
      assert.equal((await download(service.anonymous, path, from('10.0.0.2'))).status, 206)
      assert.equal((await upload(tenant.admin)).status, 201)
    } finally {
      for (const { socket } of connections) socket.destroy()
    }
    await eventually('all have ended', soonMs, async () => transfers.total === 0)
    assert.equal((await download(service.anonymous, path, from('10.0.0.1'))).status, 206)
  })
})

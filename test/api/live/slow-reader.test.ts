/** A client that follows lists on a socket from which it reads nothing. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, it } from 'node:test'
import { entity, integer, text } from '../../../src/index.ts'
import { migrated } from '../../entity/migrated.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { startService, type TestService, type TestTenant } from '../../support/service.ts'
import { LiveReader } from './live-reader.ts'

const page = entity('page', {
  live: true,
  fields: { body: text({ max: 100_000 }), level: integer().default(1) },
  access: { read: 'user', write: 'user' },
})
/** A few of them are more than may be unread, many more than the kernel takes. */
const bodyOf = (place: number) => `${place} `.padEnd(100_000, 'x')
const maxPages = 400

onEitherDatabase('A client of followed lists that reads nothing', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { features: migrated([page]) })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  async function follow(): Promise<{ socket: Socket; heard: () => string }> {
    const { hostname, port } = new URL(service.url)
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => undefined) // it may be cut
    socket.pause()
    await once(socket, 'connect')
    const { headers } = tenant.admin
    const body = JSON.stringify({ lists: { all: { entity: 'page', filter: { level: 1 } } } })
    const lines = Object.entries({ ...headers, 'content-type': 'application/json', host: 'localhost' })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    socket.write(`POST /api/live HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body}`)
    let heardText = ''
    socket.on('data', (chunk) => {
      heardText += chunk.toString('latin1')
    })
    socket.pause()
    await eventually('it is followed', soonMs, async () => (await figure('live_streams')) > 0)
    return { socket, heard: () => heardText }
  }

  async function figure(name: string): Promise<number> {
    const { text: figures } = await service.anonymous.get('/metrics')
    return Number(new RegExp(`^${name}(?:{[^}]*})? (\\S+)$`, 'm').exec(figures)?.[1])
  }

  it('gets of each row its last change', async () => {
    const { id } = (await tenant.admin.post('/api/pages', { body: 'first' })).body
    const { socket, heard } = await follow()
    let version = 1
    for (let mostBytes = 0, isMerged = false; !isMerged; version++) {
      assert.ok(version < maxPages, 'nothing is merged')
      assert.equal((await tenant.admin.patch(`/api/pages/${id}`, { body: bodyOf(version) })).status, 200)
      const bytes = await figure('client_buffered_bytes')
      isMerged = mostBytes > 800_000 && bytes < mostBytes / 2
      mostBytes = Math.max(mostBytes, bytes)
    }
    socket.resume()
    await eventually('all is read', soonMs, async () => heard().includes(`"version":${version},`))
    assert.equal(heard().includes('event: reset'), false)
    const changes = heard().split('event: change').length - 1
    assert.ok(changes < version - 1, `${changes} changes of ${version}`)
    socket.destroy()
  })

  it('is told to read again what cannot be merged, and is cut; others get everything', async () => {
    const { socket, heard } = await follow()
    await using other = await LiveReader.open(tenant.admin, { all: { entity: 'page', fields: 'id' } })
    const isCut = async () => (await figure('live_streams')) === 1
    let made = 0
    while (!(await isCut())) {
      assert.ok(made < maxPages, 'it is not cut')
      const { status, body } = await tenant.admin.post('/api/pages', { body: bodyOf(made) })
      assert.equal(status, 201)
      assert.equal((await other.change()).id, body.id)
      made++
    }
    assert.equal(await figure('client_buffered_bytes'), 0)
    socket.resume()
    await eventually('the end is read', soonMs, async () => heard().includes('event: end'))
    assert.match(heard(), /data: {"reason":"slow","retryMs":0}/)
    socket.destroy()
  })
})

/** Streams of followed lists that are not opened, or end: beyond the bounds of an instance, and with their callers. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { open } from '../../support/http/connection.ts'
import { person, startService, type TestService, type TestTenant } from '../../support/service.ts'
import { LiveReader } from './live-reader.ts'
import { taskApp } from './task-app.ts'

const streams = 3
const lists = 12

onEitherDatabase('Streams of followed lists', (database) => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService(database, {}, { ...taskApp, liveLimits: { streams, lists } })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  const notices = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_each, place) => [`${place}`, { entity: 'notice' }]))
  const openStreams = async () => {
    const { text } = await service.anonymous.get('/metrics')
    return Number(/^live_streams (\d+)$/m.exec(text)?.[1])
  }
  const closed = () => eventually('all are closed', soonMs, async () => (await openStreams()) === 0)

  it('are so many on an instance, with so many lists', async () => {
    const other = await service.newTenant()
    const follow = (count: number) => LiveReader.open(tenant.admin, notices(count))
    const some = await Promise.all([follow(5), follow(6)])
    assertError(await other.admin.post('/api/live', { lists: notices(2) }), 429)
    some.push(await LiveReader.open(other.admin, notices(1)))
    for (const { admin } of [tenant, other])
      assertError(await admin.post('/api/live', { lists: notices(1) }), 429)
    for (const reader of some) await reader[Symbol.asyncDispose]()
    await closed()
    await using again = await follow(lists)
    assert.equal(again.ready.list.length, lists)
  })

  it('end with the session, and say so', async () => {
    await tenant.admin.post('/api/users', { ...person('leaver'), roles: ['User'] })
    const { client } = await service.signIn('leaver', tenant.id)
    await using live = await LiveReader.open(client, notices(1))
    assert.equal((await client.post('/api/auth/logout')).status, 200)
    const { event, data } = await live.next()
    assert.deepEqual([event, data], ['end', { reason: 'token', retryMs: 0 }])
    await live.reader.ended
    await closed()
  })

  it('are not opened by a body that never ends', async () => {
    const headers = Object.entries({ ...tenant.admin.headers, host: 'localhost' })
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const type = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n'
    const connection = await open(
      service.url,
      `POST /api/live HTTP/1.1\r\n${head}${type}\r\n9\r\n{"lists":\r\n`,
    )
    for (let sent = 0; !connection.text.includes('\r\n\r\n') && sent < 1000; sent++) {
      connection.send(`10000\r\n${' '.repeat(65_536)}\r\n`)
      await new Promise((turn) => setImmediate(turn))
    }
    assert.match(connection.text, /^HTTP\/1.1 413 /)
    assert.equal(await openStreams(), 0)
    await using live = await LiveReader.open(tenant.admin, notices(1))
    assert.equal(live.ready.list.length, 1)
  })
})

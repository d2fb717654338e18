import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { CannotListen } from '../../../../src/api/http/connection/listener.ts'
import { Client } from '../../../support/client.ts'
import { assertError } from '../../../support/error.ts'
import { freePort } from '../../../support/free-port.ts'
import { rawRequest, sendRaw } from '../../../support/http/raw-request.ts'
import { startService, type TestService } from '../../../support/service.ts'

describe('The port of the figures', () => {
  let service: TestService
  let figures: Client
  let port: number
  before(async () => {
    port = await freePort()
    service = await startService('sqlite', { METRICS_PORT: `${port}` })
    figures = new Client(`http://127.0.0.1:${port}`)
  })
  after(() => service.stop())

  it('has what the port of the service then does not have, however its path is written', async () => {
    assert.match((await figures.get('/metrics')).text, /^# HELP /)
    assert.match((await figures.get('/metrics?a=b')).headers.get('content-type') ?? '', /^text\/plain/)
    for (const path of ['/metrics', '/%6detrics', '/metrics/', '//metrics', '/./metrics']) {
      const reply = await sendRaw(service.url, rawRequest(`GET ${path}`, ['Host: localhost']))
      assertError(reply, 404)
    }
  })

  it('is found by both names of the machine', async () => {
    assert.equal((await new Client(`http://localhost:${port}`).get('/metrics')).status, 200)
  })

  it('has nothing else', async () => {
    for (const path of ['/', '/health/live', '/api/init/status', '/metrics/x', '/swagger']) {
      assertError(await figures.get(path), 404, 'Only /metrics is served here.')
    }
    const posted = await figures.post('/metrics', {})
    assertError(posted, 405, 'The method is not allowed here.')
    assert.equal(posted.headers.get('allow'), 'GET, HEAD')
    const { headers } = await figures.get('/metrics')
    assert.equal(headers.get('cache-control'), 'private, no-cache')
  })

  it('that is taken ends the start, and names its setting', async () => {
    await assert.rejects(
      startService('sqlite', { METRICS_PORT: `${port}` }),
      (error: unknown) => error instanceof CannotListen && /choose another METRICS_PORT/.test(error.message),
    )
  })

  it('outlives a connection that cannot be accepted', async () => {
    const other = await freePort()
    const listening: Server[] = []
    const note = (message: unknown) => listening.push((message as { server: Server }).server) // of each server that listens
    subscribe('tracing:net.server.listen:asyncEnd', note)
    const second = await startService('sqlite', { METRICS_PORT: `${other}` })
    unsubscribe('tracing:net.server.listen:asyncEnd', note)
    const servers = listening.filter((server) => Object(server.address()).port === other)
    assert.ok(servers.length > 0)
    for (const server of servers) server.emit('error', new Error('accept EMFILE')) // as Node.js does
    assert.equal((await new Client(`http://127.0.0.1:${other}`).get('/metrics')).status, 200)
    await second.stop()
  })

  it('is closed by a stop', async () => {
    const other = await freePort()
    const stopped = await startService('sqlite', { METRICS_PORT: `${other}` })
    const client = new Client(`http://127.0.0.1:${other}`)
    assert.equal((await client.get('/metrics')).status, 200)
    await stopped.stop()
    await assert.rejects(client.get('/metrics'))
  })
})

/** Clients that reset their connection while an upgrade is pending or being refused. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { runsOf } from '../../../support/run/extent.ts'
import { startService, type TestService } from '../../../support/service.ts'

const rounds = runsOf(1, 3)
/** More than take their turn in one slice of the event loop. */
const clients = 300

const origins = { 'are let in': '', 'are refused': 'Origin: http://elsewhere.example\r\n' }

describe('Connections that are reset while they are upgraded', () => {
  let service: TestService
  before(async () => {
    service = await startService('sqlite', { CORS_ORIGINS: 'https://app.example' })
  })
  after(() => service.stop())

  for (const [outcome, origin] of Object.entries(origins)) {
    it(`end nothing where they ${outcome}`, async () => {
      const { port } = new URL(service.url)
      for (let round = 0; round < rounds; round++) {
        const sockets = await Promise.all(Array.from({ length: clients }, () => connected(Number(port))))
        for (const socket of sockets) socket.write(upgrade(origin), () => socket.resetAndDestroy())
        await delay(100)
      }
      assert.equal((await service.anonymous.get('/health/live')).status, 200)
    })
  }
})

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

function upgrade(origin: string): string {
  return (
    'GET /graphql HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n' +
    `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${origin}\r\n`
  )
}

/** An upgrade to a WebSocket behind other requests on its connection. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Feature } from '../../../../src/core/feature/feature.ts'
import { route } from '../../../../src/core/feature/route.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import { startService, type TestService } from '../../../support/service.ts'

const upgrade = [
  'GET /graphql HTTP/1.1',
  'Host: localhost',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  'Sec-WebSocket-Protocol: graphql-transport-ws',
  '\r\n',
].join('\r\n')
const held = 'GET /api/held HTTP/1.1\r\nHost: localhost\r\n\r\n'
const live = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'

describe('An upgrade', () => {
  let service: TestService
  let release: (() => void)[] = []
  const holding: Feature = {
    name: 'holding',
    routes: [
      route({
        method: 'GET',
        path: '/api/held',
        summary: 'Held',
        tag: 'Tests',
        status: 200,
        access: 'anonymous',
        database: 'none',
        handle: async () => {
          await new Promise<void>((resolve) => release.push(resolve))
          return 'held'
        },
      }),
    ],
  }
  before(async () => {
    service = await startService('sqlite', {}, { features: [holding] })
  })
  after(() => service.stop())

  async function open(): Promise<{ socket: Socket; text: () => string; statuses: () => number[] }> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    let text = ''
    socket.setEncoding('latin1').on('data', (more) => {
      text += more
    })
    const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
    return { socket, text: () => text, statuses }
  }

  for (const [name, earlier] of [
    ['a request', held],
    ['requests that wait themselves', held + live + live],
  ] as const) {
    it(`behind ${name} without a reply is not made: it is answered in its turn, and the connection is closed`, async () => {
      const { socket, text, statuses } = await open()
      socket.write(earlier + upgrade + live)
      await eventually('the first is served', soonMs, async () => release.length > 0)
      // What is not to come has come by then: another connection is upgraded meanwhile.
      const other = await open()
      other.socket.write(upgrade)
      await eventually('the other', soonMs, async () => other.statuses().length > 0)
      assert.deepEqual(other.statuses(), [101])
      assert.equal(text(), '')
      for (const resolve of release.splice(0)) resolve()
      await once(socket, 'close')
      const count = earlier.split('HTTP/1.1').length - 1
      assert.deepEqual(statuses(), [...Array<number>(count).fill(200), 400])
      other.socket.destroy()
    })
  }

  it('is made when the replies before it have come', async () => {
    release = []
    const { socket, statuses } = await open()
    socket.write(live + live)
    await eventually('two replies', soonMs, async () => statuses().length === 2)
    socket.write(upgrade)
    await eventually('the upgrade', soonMs, async () => statuses().length === 3)
    assert.deepEqual(statuses(), [200, 200, 101])
    socket.destroy()
  })
})

/** Clients that read a little of their reply now and then. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { Duplex } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { closeStalled } from '../../../../src/api/http/connection/stalled-reply.ts'
import { LimitMonitor } from '../../../../src/core/limits/limit-monitor.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'

const stalledMs = 1000
const chunks = 50

/** The wire to a client that takes one chunk at a time: the kernel would take more for it than the test has. */
class SlowWire extends Duplex {
  taken = 0
  readonly #everyMs: number
  #takenBytes = 0

  constructor(everyMs: number) {
    super()
    this.#everyMs = everyMs
  }

  /** As a socket counts: with what still waits. */
  get bytesWritten(): number {
    return this.#takenBytes + this.writableLength
  }

  override _read(): void {
    // It asks when it is told to.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    setTimeout(() => {
      this.taken++
      this.#takenBytes += chunk.length
      done()
    }, this.#everyMs)
  }
}

describe('A client that takes its reply slowly', () => {
  const monitor = new LimitMonitor(pino({ level: 'silent' }))
  let server: Server
  let stop: () => void
  before(() => {
    server = createServer((request, response) => {
      const chunk = 'x'.repeat(Number(request.url?.slice(1)))
      response.writeHead(200)
      for (let count = 0; count < chunks; count++) response.write(chunk)
      response.end()
    })
    stop = closeStalled(server, monitor, stalledMs)
  })
  after(() => stop())

  function ask(chunkBytes: number, everyMs: number): SlowWire {
    const wire = new SlowWire(everyMs)
    server.emit('connection', wire)
    wire.push(`GET /${chunkBytes} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    return wire
  }

  it('gets all of it when it takes enough', async () => {
    const wire = ask(16 * 1024, 60)
    await eventually('all is taken', soonMs, async () => wire.taken >= chunks)
    assert.deepEqual(monitor.samples(), [])
  })

  it('is cut and counted when it takes less than 16 KiB in the time', async () => {
    const wire = ask(100, 200)
    await eventually('its end', soonMs, async () => wire.destroyed)
    assert.ok(wire.taken < chunks)
    assert.deepEqual(monitor.samples(), [{ labels: { reason: 'unread replies' }, value: 1 }])
  })
})

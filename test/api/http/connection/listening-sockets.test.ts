import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { startService, type TestService } from '../../../support/service.ts'

const isLinux = process.platform === 'linux'

describe('The port of the service', () => {
  let service: TestService
  let port: number
  before(async () => {
    service = await startService('sqlite')
    port = Number(new URL(service.url).port)
  })
  after(() => service.stop())

  /** From `/proc/net/tcp`: local address, remote address, state; 0A is LISTEN. */
  function listening(): number {
    const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
    const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFileSync(path, 'utf8'))
    return tables
      .flatMap((table) => table.split('\n'))
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => local?.endsWith(ending) && state === '0A').length
  }

  it('has several sockets on Linux, so that many connections are accepted in one turn', () => {
    if (isLinux) assert.ok(listening() >= 8, `${listening()} sockets`)
  })

  it('is shared with no other process', () => {
    const script = `require('node:net').createServer()
      .on('error', (error) => console.log(error.code))
      .listen({ port: ${port}, host: '127.0.0.1' }, () => process.exit(1))`
    assert.equal(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }), 'EADDRINUSE\n')
  })
})

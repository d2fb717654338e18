/** An upload may take longer than other requests, as long as it grows. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pdf } from '../support/files/contents.ts'
import { startService, type TestService } from '../support/service.ts'
import { storedIn } from './scene.ts'

const timeoutMs = 1000

describe('A slow upload', () => {
  let service: TestService
  before(async () => {
    service = await startService('sqlite', { REQUEST_TIMEOUT_MS: `${timeoutMs}` })
  })
  after(() => service.stop())

  const begin = (size: number): ClientRequest => {
    const headers = {
      ...service.host.headers,
      'content-type': 'application/pdf',
      'content-length': `${size}`,
    }
    const call = request(`${service.url}/api/files?name=slow.pdf`, { method: 'POST', headers })
    call.write(pdf())
    return call
  }

  it('is stored although it takes longer than a request may', async () => {
    const chunks = 12
    const chunk = Buffer.alloc(70_000)
    const call = begin(pdf().length + chunks * chunk.length)
    const answered = once(call, 'response')
    for (let sent = 0; sent < chunks; sent++) {
      await delay(timeoutMs / 4)
      call.write(chunk)
    }
    call.end()
    const [response] = await answered
    assert.equal(response.statusCode, 201)
    response.resume()
  })

  it('is cut when it does not grow, and leaves nothing', async () => {
    const stored = storedIn(service)
    const call = begin(100_000)
    const [error] = await once(call, 'error')
    assert.match(String(error), /socket hang up|ECONNRESET/)
    await delay(timeoutMs / 10)
    assert.deepEqual(storedIn(service), stored)
  })
})

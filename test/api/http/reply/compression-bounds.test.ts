/** Bounds on compression: a few replies at a time, paid with cost units. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { JsonText, route } from '../../../../src/core/feature/route.ts'
import { startService, type TestService } from '../../../support/service.ts'

let ended = 0

async function* endlessChunks() {
  try {
    for (;;) yield JSON.stringify(randomBytes(32 * 1024).toString('base64'))
  } finally {
    ended++
  }
}

const endless = route({
  method: 'GET',
  path: '/api/endless',
  summary: 'Read without end',
  tag: 'Endless',
  access: 'public',
  status: 200,
  handle: async () => new JsonText(endlessChunks()),
})

const long = route({
  ...endless,
  path: '/api/long',
  handle: async () => new JsonText(JSON.stringify('x'.repeat(60 * 1024))),
})

interface Reading {
  request: ClientRequest
  coding: string | undefined
}

describe('Compression', () => {
  let service: TestService
  before(async () => {
    const options = { features: [{ name: 'endless', routes: [endless, long] }] }
    service = await startService('sqlite', {}, options)
  })
  after(() => service.stop())

  /** Reads the headers and nothing more. */
  async function begin(address: string): Promise<Reading> {
    const headers = { 'accept-encoding': 'gzip', 'x-forwarded-for': address }
    const request = get(`${service.url}/api/endless`, { agent: false, headers })
    request.on('error', () => undefined) // cut below
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.on('error', () => undefined)
    return { request, coding: response.headers['content-encoding'] }
  }

  const codings = (readings: readonly Reading[]) => readings.map(({ coding }) => coding)

  it('is for a few replies of a client at once, and the others come as they are', async () => {
    const held: Reading[] = []
    for (let place = 0; place < 6; place++) held.push(await begin('10.0.0.1'))
    assert.deepEqual(codings(held), ['gzip', 'gzip', 'gzip', 'gzip', undefined, undefined])
    held.push(await begin('10.0.0.2'))
    assert.equal(held.at(-1)?.coding, 'gzip')
    for (const { request } of held) request.destroy()
    // What was given back can be had again, and the rows are read no further.
    let again: Reading
    do {
      again = await begin('10.0.0.1')
      again.request.destroy()
    } while (again.coding === undefined)
    while (ended < held.length) await new Promise((resolve) => setImmediate(resolve))
  })

  it('is paid for, and left out for those who have nothing left', async () => {
    const nothing = { units: 1, windowSeconds: 3600 }
    const costPolicies = { address: nothing, user: nothing, tenant: nothing, anonymous: nothing }
    const options = { features: [{ name: 'long', routes: [long] }], costPolicies }
    const poor = await startService('sqlite', {}, options)
    try {
      const ask = async () => (await poor.host.get('/api/long', { 'accept-encoding': 'gzip' })).headers
      assert.equal((await ask()).get('content-encoding'), 'gzip')
      assert.equal((await ask()).get('content-encoding'), 'gzip')
      const third = await ask()
      assert.deepEqual(
        [third.get('content-encoding'), third.get('content-length')],
        [null, String(60 * 1024 + 2)],
      )
    } finally {
      await poor.stop()
    }
  })
})

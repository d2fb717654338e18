/** Bodies of requests without a token are limited to a smaller size. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Type } from 'typebox'
import type { Feature } from '../../../../src/core/feature/feature.ts'
import { route } from '../../../../src/core/feature/route.ts'
import { assertError } from '../../../support/error.ts'
import { newsFeature } from '../../../support/graphql/public-subscription.ts'
import { RawSocket } from '../../../support/graphql/raw-socket.ts'
import { startService, type TestService, type TestTenant } from '../../../support/service.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

const form = { tag: 'Forms', method: 'POST', body: Type.Object({}), status: 204 } as const
const formFeature: Feature = {
  name: 'form',
  routes: [
    route({
      ...form,
      access: 'public',
      path: '/api/forms',
      summary: 'Send a form',
      anonymousBodyBytes: 100 * kibibyte,
      handle: async () => undefined,
    }),
    route({
      ...form,
      access: 'anonymous',
      path: '/api/letters',
      summary: 'Send a letter',
      anonymousBodyBytes: 5 * mebibyte,
      handle: async () => undefined,
    }),
  ],
}

/** JSON of this many bytes, with members that say something. */
function sized(bytes: number, members: object = {}): string {
  const empty = JSON.stringify({ ...members, more: '' })
  return `${empty.slice(0, -2)}${'x'.repeat(bytes - empty.length)}"}`
}

describe('A body without a token', () => {
  let service: TestService
  let tenant: TestTenant
  before(async () => {
    service = await startService('sqlite', {}, { features: [formFeature, newsFeature] })
    tenant = await service.newTenant()
  })
  after(() => service.stop())

  for (const path of ['/api/auth/refresh', '/api/init/first-admin', '/api/auth/login']) {
    it(`may have 16 KiB: ${path}`, async () => {
      const { status } = await service.anonymous.post(path, sized(16 * kibibyte))
      assert.ok(status === 400 || status === 401, `${status}`)
      assertError(await service.anonymous.post(path, sized(16 * kibibyte + 1)), 413)
    })
  }

  it('may have 64 KiB where a token may come along, and with one as much as is configured', async () => {
    const query = '{ __typename }'
    const { anonymous } = service
    assert.equal((await anonymous.post('/graphql', sized(64 * kibibyte, { query }))).status, 200)
    assertError(await anonymous.post('/graphql', sized(64 * kibibyte + 1, { query })), 413)
    assert.equal((await tenant.user.post('/graphql', sized(mebibyte, { query }))).status, 200)
    assertError(await tenant.user.post('/graphql', sized(mebibyte + 1, { query })), 413)
  })

  it('may have what its route says, within what is configured', async () => {
    const { anonymous } = service
    assert.equal((await anonymous.post('/api/forms', sized(100 * kibibyte))).status, 204)
    assertError(await anonymous.post('/api/forms', sized(100 * kibibyte + 1)), 413)
    assert.equal((await tenant.user.post('/api/forms', sized(mebibyte))).status, 204)
    assert.equal((await anonymous.post('/api/letters', sized(mebibyte))).status, 204)
    assertError(await anonymous.post('/api/letters', sized(mebibyte + 1)), 413)
  })

  it('is smaller on a WebSocket too', async () => {
    const ask = { id: '1', type: 'subscribe', payload: { query: '{ __typename }' } }
    const { authorization } = tenant.user.headers
    const known = await RawSocket.enter(service.url, { authorization })
    known.send(sized(500 * kibibyte, ask))
    assert.equal((await known.inbox.next()).type, 'next')
    const stranger = await RawSocket.enter(service.url, {})
    stranger.send(sized(64 * kibibyte, ask))
    assert.equal((await stranger.inbox.next()).type, 'next')
    stranger.send(sized(64 * kibibyte + 1, { ...ask, id: '2' }))
    assert.deepEqual(await stranger.closed, [1009, 'The request body is too large.'])
    known.socket.close()
  })
})

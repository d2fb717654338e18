/** HEAD answers what GET would, without the body and without its work (RFC 9110, section 9.3.2). */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { JsonText, route } from '../../../../src/core/feature/route.ts'
import { operationsOf, readOpenApi } from '../../../support/http/openapi-document.ts'
import { startService, type TestService } from '../../../support/service.ts'

/** Addresses whose bodies tell how long something took, or how much there is of it now. */
const measured = /health|ready|figures|instances/
const passing = new Set([
  'x-request-id',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'live-cursor',
])

/** What was asked of the chunks of the endless reply. */
const asked: string[] = []
const chunks: AsyncIterableIterator<string> = {
  [Symbol.asyncIterator]: () => chunks,
  next: async () => {
    asked.push('next')
    return { value: '[]', done: false }
  },
  return: async () => {
    asked.push('return')
    return { value: undefined, done: true }
  },
}
const endlessRoutes = [
  { path: '/api/endless', type: undefined },
  { path: '/api/endless-events', type: 'text/event-stream' },
].map(({ path, type }) =>
  route({
    method: 'GET',
    path,
    summary: 'Read without end',
    tag: 'Endless',
    access: 'user',
    status: 200,
    handle: async () => new JsonText(chunks, type),
  }),
)

describe('HEAD', () => {
  let service: TestService
  before(async () => {
    service = await startService('sqlite', {}, { features: [{ name: 'endless', routes: endlessRoutes }] })
    assert.equal((await service.host.post('/api/products', { name: 'Desk', price: 1 })).status, 201)
  })
  after(() => service.stop())

  it('has the status and the headers of GET on every address', async () => {
    const places = [...operationsOf(await readOpenApi(service.anonymous)).keys()]
    const paths = places.filter((place) => /^GET [^{]+$/.test(place) && !place.includes('endless'))
    assert.ok(paths.length > 20)
    for (const place of paths) {
      const path = `${place.slice(4)}${place.endsWith('/graphql') ? '?query={__typename}' : ''}`
      const accept = { 'accept-encoding': 'identity' }
      const get = await service.host.get(path, accept)
      const head = await service.host.send('HEAD', path, undefined, accept)
      assert.deepEqual([head.status, head.text], [get.status, ''], path)
      const shown = (headers: Headers) => [...headers].filter(([name]) => !passing.has(name))
      const known = ([name]: [string, string]) => !measured.test(path) || name !== 'content-length'
      assert.deepEqual(shown(head.headers).filter(known), shown(get.headers).filter(known), path)
    }
  })

  it('reads nothing of a reply in chunks, and ends it', async () => {
    const { status, headers } = await service.host.send('HEAD', '/api/endless')
    assert.deepEqual([status, headers.get('content-type')], [200, 'application/json; charset=utf-8'])
    assert.equal(headers.get('content-length'), null)
    assert.deepEqual(asked, ['return'])
    asked.length = 0
    assert.equal((await service.host.send('HEAD', '/api/endless-events')).status, 200)
    assert.deepEqual(asked, ['return'])
  })

  it('follows no subscription', async () => {
    const path = `/graphql?query=${encodeURIComponent('subscription { onOrderCreated { id } }')}`
    const { status, headers } = await service.host.send('HEAD', path, undefined, {
      accept: 'text/event-stream',
    })
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/event-stream'])
    assert.equal(service.service.subscriptions.count, 0)
  })
})

/** Methods of an address, and replies for addresses without a route. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { assertError } from '../../support/error.ts'
import { startService, type TestService } from '../../support/service.ts'

for (const settings of [{}, { CORS_ORIGINS: 'https://shop.example.com' }]) {
  const origins = Object.values(settings).join() || 'no origins'
  describe(`An address, with ${origins} configured,`, () => {
    let service: TestService
    before(async () => {
      service = await startService('sqlite', settings)
    })
    after(() => service.stop())

    it('tells its methods to OPTIONS, without a token', async () => {
      const expected = {
        '/api/products': 'GET, HEAD, POST, OPTIONS',
        '/api/products/1?tenant=nobody': 'GET, HEAD, PATCH, DELETE, PUT, OPTIONS',
        '/api/webhooks/receive/stripe': 'POST, OPTIONS',
        '/graphql': 'GET, HEAD, POST, OPTIONS',
        '/health': 'GET, HEAD, OPTIONS',
        '/swagger': 'GET, HEAD, OPTIONS',
      }
      for (const [path, allow] of Object.entries(expected)) {
        const answer = await service.anonymous.send('OPTIONS', path)
        assert.deepEqual([answer.status, answer.text], [204, ''], path)
        assert.equal(answer.headers.get('allow'), allow, path)
        assert.ok(answer.headers.has('x-request-id'))
      }
      assertError(await service.anonymous.send('OPTIONS', '/api/nothing'), 404)
    })

    it('is another one with a slash at its end, where nothing is, whoever asks', async () => {
      const hint = 'There is nothing at this address. Remove the slash at its end.'
      const requests = [
        ['GET', '/api/products/'],
        ['POST', '/api/products/'],
        ['DELETE', '/api/products/'],
        ['GET', '/api/products/?limit=1'],
        ['GET', '/api/tenants/'],
        ['GET', '/api/webhooks/deliveries/'],
        ['OPTIONS', '/api/products/'],
        ['POST', '/api/auth/login/'],
        ['GET', '/graphql/'],
      ]
      for (const [method = '', path = ''] of requests) {
        for (const caller of [service.anonymous, service.host]) {
          assertError(await caller.send(method, path), 404, hint)
        }
      }
      assertError(await service.anonymous.get('/api/nothing/'), 404, 'There is nothing at this address.')
      assertError(await service.anonymous.post('/api/webhooks/receive/', {}), 404)
    })

    it('of a search without a term is one all the same: 400', async () => {
      assertError(await service.anonymous.get('/api/products/search/'), 401)
      assertError(await service.host.get('/api/products/search/'), 400, 'The search term is empty.')
    })
  })
}

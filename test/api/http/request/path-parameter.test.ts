/** Path parameters are validated by their route, after the caller is known. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Route } from '../../../../src/core/feature/route.ts'
import { assertError } from '../../../support/error.ts'
import { sharedService, type TestService } from '../../../support/service.ts'

const beyondEveryBound = 'a'.repeat(1025)
const longest = 'a'.repeat(14_000)

describe('A path parameter that is too long', () => {
  let service: TestService
  let routes: Route[]
  before(async () => {
    service = await sharedService('sqlite')
    routes = service.service.features
      .flatMap((feature) => feature.routes ?? [])
      .filter(({ path }) => path.includes(':'))
  })
  after(() => service.stop())

  it('is judged after the token, on every route', async () => {
    assert.ok(routes.length > 20)
    const protectedRoutes = routes.filter(({ access }) => access !== 'public' && access !== 'anonymous')
    for (const { method, path } of protectedRoutes) {
      for (const value of [beyondEveryBound, longest]) {
        const answer = await service.anonymous.send(method, filled(path, value))
        assertError(answer, 401)
        assert.ok(answer.headers.has('www-authenticate'), `${method} ${path}`)
      }
    }
  })

  it('is nothing that exists: 404, or 400 where it is input', async () => {
    const found = new Map<string, number>()
    for (const { method, path } of routes) {
      for (const value of [beyondEveryBound, longest]) {
        const body = path.endsWith('/:provider') && method === 'PUT' ? { secret: 's' } : undefined
        const query = path.endsWith('/sso/:tenant/start') ? `?returnTo=/&codeChallenge=${'x'.repeat(43)}` : ''
        const answer = await service.host.send(method, filled(path, value) + query, body)
        assertError(answer, answer.status)
        found.set(`${method} ${path}`, answer.status)
      }
    }
    const input = [...found].filter(([, status]) => status !== 404)
    const refused = [
      'GET /api/products/search/:name',
      'POST /api/webhooks/receive/:provider',
      'PUT /api/webhooks/providers/:provider',
    ]
    const withBody = /^(PUT|PATCH|POST) /
    assert.deepEqual(
      input.filter(([name]) => refused.includes(name) || !withBody.test(name)).toSorted(),
      refused.map((name) => [name, 400]),
    )
    const asForm = 'POST /api/auth/sso/:tenant/backchannel-logout'
    assert.deepEqual(
      input.filter(([, status]) => status !== 400),
      [[asForm, 415]],
    )
  })
})

/** The last parameter has the value; a path has no more than one of this length. */
function filled(path: string, value: string): string {
  return path.replace(/:\w+(?=[^:]*$)/, value).replaceAll(/:\w+/g, 'x')
}

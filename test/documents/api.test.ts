/** What `docs/api.md` counts up is what the service has. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { errorKinds } from '../../src/core/errors.ts'
import type { Route } from '../../src/core/feature/route.ts'
import { retentionMs } from '../../src/core/idempotency/idempotency.ts'
import { defaultPageSize, maxPageSize } from '../../src/core/page.ts'
import { accessTokenSeconds } from '../../src/identity/session/access-token.ts'
import { startService, type TestService } from '../harness/service.ts'
import { codeSpans, readDocument, tableUnder } from './markdown.ts'

const page = readDocument('docs/api.md')

/** The request never became one: the server answers it before any route. */
const beforeAnyRoute = ['408']

describe('the page on the API', () => {
  let service: TestService
  let routes: Route[]
  before(async () => {
    service = await startService('sqlite')
    routes = service.service.features.flatMap((feature) => feature.routes ?? [])
  })
  after(() => service.stop())

  test('names every route and who may use it', () => {
    const listed = tableUnder(page, 'Routes').map((cells) => cells.join(' ').replaceAll('`', ''))
    const mounted = routes.map(({ method, path, access }) => `${method} ${path} ${access}`)
    assert.deepEqual(listed.toSorted(), mounted.toSorted())
  })

  test('names the addresses for whoever runs the service', async () => {
    const named = codeSpans(page).filter((text) =>
      /^\/(health|ready|metrics|swagger|api-docs|graphql\/ui)/.test(text),
    )
    assert.ok(named.length >= 8)
    for (const path of named) assert.equal((await service.anonymous.get(path)).status, 200, path)
  })

  test('names every status of an error', () => {
    const listed = tableUnder(page, 'Errors').map(([status = '']) => status)
    const registered = Object.values(errorKinds).map(({ status }) => `${status}`)
    assert.deepEqual(listed.toSorted(), [...new Set([...registered, ...beforeAnyRoute])].toSorted())
  })

  test('shows an error as it is', async () => {
    const { body } = await service.host.post('/api/products', { price: -1 })
    assert.ok(page.includes(`{ "message": ${JSON.stringify(body.message)} }`))
  })

  test('has the numbers of the code', () => {
    const hours = retentionMs / 3_600_000
    for (const text of [
      `\`limit\` (1 to ${maxPageSize}, ${defaultPageSize} if absent)`,
      `an \`accessToken\` for ${accessTokenSeconds / 60} minutes`,
      `For ${hours} hours\nthe same key`,
    ]) {
      assert.ok(page.includes(text), text)
    }
  })
})

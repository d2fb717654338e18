/** What the pages in `docs/api` list is what the service has. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { errorKinds } from '../../src/core/errors.ts'
import type { Route } from '../../src/core/feature/route.ts'
import { retentionMs } from '../../src/core/idempotency/idempotency.ts'
import { defaultPageSize, maxPageSize } from '../../src/core/page.ts'
import { accessTokenSeconds } from '../../src/identity/session/access-token.ts'
import { sharedService, type TestService } from '../support/service.ts'
import { codeSpans, fencedBlocks, readDocument, tableUnder, textOf } from './markdown.ts'

const overview = readDocument('docs/api/overview.md')
const idempotency = readDocument('docs/api/idempotency.md')
const errors = readDocument('docs/api/errors.md')

/** The request never became one: the server answers it before any route. */
const beforeAnyRoute = ['408']

describe('the pages on the API', () => {
  let service: TestService
  let routes: Route[]
  before(async () => {
    service = await sharedService('sqlite')
    routes = service.service.features.flatMap((feature) => feature.routes ?? [])
  })
  after(() => service.stop())

  test('name every route and who may use it', () => {
    const listed = tableUnder(overview, 'Routes').map((cells) => cells.join(' ').replaceAll('`', ''))
    const mounted = routes.map(({ method, path, access }) => `${method} ${path} ${access}`)
    assert.deepEqual(listed.toSorted(), mounted.toSorted())
  })

  test('name the addresses for whoever runs the service', async () => {
    const named = codeSpans(overview).filter((text) =>
      /^\/(health|ready|metrics|swagger|api-docs|graphql\/ui)/.test(text),
    )
    assert.ok(named.length >= 8)
    for (const path of named) assert.equal((await service.anonymous.get(path)).status, 200, path)
  })

  test('name every route that takes a key', () => {
    const listed = tableUnder(idempotency, 'Idempotency').map((cells) => cells.join(' ').replaceAll('`', ''))
    const mounted = routes
      .filter(({ idempotent }) => idempotent === true)
      .map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(listed.toSorted(), mounted.toSorted())
  })

  test('name every status of an error', () => {
    const listed = tableUnder(errors, 'Statuses').map(([status = '']) => status)
    const registered = Object.values(errorKinds).map(({ status }) => `${status}`)
    assert.deepEqual(listed.toSorted(), [...new Set([...registered, ...beforeAnyRoute])].toSorted())
  })

  test('show an error as it is', async () => {
    const { body } = await service.host.post('/api/products', { price: -1 })
    const [shown] = fencedBlocks(errors)
    assert.deepEqual(JSON.parse(shown?.text ?? ''), body)
  })

  test('have the numbers of the code', () => {
    const hours = retentionMs / 3_600_000
    for (const [page, text] of [
      ['lists', `\`limit\` (1 to ${maxPageSize}, ${defaultPageSize} if absent)`],
      ['authentication', `an \`accessToken\` for ${accessTokenSeconds / 60} minutes`],
      ['idempotency', `remembers it for ${hours} hours`],
    ] as const) {
      assert.ok(textOf(readDocument(`docs/api/${page}.md`)).includes(text), text)
    }
  })
})

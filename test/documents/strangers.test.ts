/** `docs/security/strangers.md` says of every operation without a token what it costs, and what bounds that. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type LiveParts, liveRoutes } from '../../src/api/live/rest.ts'
import type { Route } from '../../src/core/feature/route.ts'
import { accessesOf } from '../../src/service/declared-permissions.ts'
import { mountedRoutes } from '../support/http/mounted-routes.ts'
import { sharedService, type TestService } from '../support/service.ts'
import { codeSpans, readDocument } from './markdown.ts'

const [, table = ''] = readDocument('docs/security/strangers.md').split('\n## Operations\n')
const rows = table
  .split('\n')
  .map((line) => /^\| (`.+?) \| (.+?) \| (.+?) \| (.+?) \|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, operations = '', cost = '', network = '', then = '']) => ({
    operations: codeSpans(operations),
    cost,
    network,
    shared: then,
  }))
const named = rows.flatMap(({ operations }) => operations)
const withoutToken: ReadonlySet<string | undefined> = new Set(['anonymous', 'public', undefined])

describe('The page about requests without a token', () => {
  let service: TestService
  let found: string[]
  let routes: Route[]
  before(async () => {
    service = await sharedService('sqlite')
    const { app, features } = service.service
    routes = features.flatMap((feature) => feature.routes ?? [])
    const live = { name: 'live', routes: liveRoutes({} as LiveParts) } // read, not called
    const accesses = new Map([...features, live].flatMap(accessesOf))
    // What no feature declares, such as a page of the console, asks for no token.
    const mounted = mountedRoutes(app).filter((route) => withoutToken.has(accesses.get(route)))
    const fields = [...accesses].filter(([what, access]) => what.startsWith('The') && access === 'public')
    found = [...new Set([...mounted, ...fields.map(([what]) => what)])]
  })
  after(() => service.stop())

  it('has each operation once, and no other', () => {
    assert.ok(found.length > 50)
    const missing = found.filter((each) => named.filter((name) => covers(name, each)).length !== 1)
    assert.deepEqual(missing, [], 'add a row of each to docs/security/strangers.md: what bounds it?')
    assert.deepEqual(
      named.filter((name) => !found.some((each) => covers(name, each))),
      [],
      'these are not there, or require a token',
    )
  })

  it('names the policies by which an operation counts networks', () => {
    const policies = (route: Route) =>
      [...(route.limit === undefined ? [] : [route.limit]), ...(route.mails ? ['mail'] : [])].toSorted()
    const open = routes.filter(({ access }) => withoutToken.has(access))
    const wrong = open.filter((route) => {
      const row = rows.find(({ operations }) => operations.includes(`${route.method} ${route.path}`))
      return `${codeSpans(row?.network ?? '').toSorted()}` !== `${policies(route)}`
    })
    assert.deepEqual(
      wrong.map(({ method, path }) => `${method} ${path}`),
      [],
    )
  })

  it('says why, where only the network counts', () => {
    for (const { operations, cost, network, shared } of rows) {
      assert.ok(cost.length > 3 && network.length > 3, operations.join())
      assert.match(shared, /^None: |[a-z]{3}/, operations.join())
      assert.notEqual(shared, 'None')
    }
  })
})

/** @param name a name, or the beginning of several, as `GET /swagger/**` */
function covers(name: string, operation: string): boolean {
  return name.endsWith('/**') ? operation.startsWith(name.slice(0, -2)) : name === operation
}

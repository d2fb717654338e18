/** Every limiter has a declaration, and every declaration is in the table of `docs/limits.md` and names what exists. */
import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { settings } from '../../src/core/settings/settings.ts'
import { limits } from '../../src/service/limits.ts'
import { sharedService, type TestService } from '../support/service.ts'
import { parse, readProjectFile, type Source, sourcesIn } from '../support/source.ts'
import { assertListed } from './listed.ts'

const declaration = /^export const (\w+Limit): Limit = /gm
const limiterClass = /^export class (\w*(?:Limiter|Budget|Memory|Backoff))\b/gm
const sources = sourcesIn('src')

/** With the reasons. */
const undeclared = [
  // Of one operation: docs/graphql.md.
  'src/api/graphql/execute.ts OperationBudget',
]

describe('The declarations of limits', () => {
  let service: TestService
  before(async () => {
    service = await sharedService('sqlite')
  })
  after(() => service.stop())

  it('are beside each limiter, or beside each use of it', () => {
    const found = withoutDeclaration(sources)
    assertListed(
      found,
      undeclared,
      'declare its limit as `export const …Limit: Limit`, and list it in src/service/limits.ts',
    )
  })

  it('are missed where a limiter has none, nor a use of it', () => {
    const limiter = parse('src/a.ts', 'export class RoomLimiter {}')
    const use = parse('src/b.ts', 'const rooms = new RoomLimiter(3)')
    const declared = parse('src/c.ts', 'export const roomLimit: Limit = {}\nconst rooms = new RoomLimiter(3)')
    assert.deepEqual(withoutDeclaration([limiter]), ['src/a.ts RoomLimiter'])
    assert.deepEqual(withoutDeclaration([limiter, use, declared]), ['src/b.ts RoomLimiter'])
    assert.deepEqual(withoutDeclaration([limiter, declared]), [])
  })

  it('are all in the table', () => {
    const declared = sources.flatMap(({ text }) => [...text.matchAll(declaration)].map(([, name]) => name))
    const listed = readProjectFile('src/service/limits.ts')?.split('export const limits')[1] ?? ''
    assert.deepEqual(
      declared.filter((name) => !listed.includes(`  ${name},\n`)),
      [],
      'list these in src/service/limits.ts',
    )
    assert.equal(declared.length, limits.length)
    assert.equal(new Set(limits.map(({ name }) => name)).size, limits.length)
  })

  it('name metrics, settings and options that exist', async () => {
    const metrics = String((await service.anonymous.get('/metrics')).body)
    const options = readProjectFile('src/service/service-options.ts') ?? ''
    const wrong = limits.flatMap(({ metrics: own = [], changedBy = [] }) => [
      ...own.filter((name) => !metrics.includes(`# TYPE ${name} `)),
      ...changedBy.filter((name) => !(name in settings) && !options.includes(`  ${name}?:`)),
    ])
    const elsewhere = [
      'UV_THREADPOOL_SIZE', // of Node.js
      'database_connection_waiters', // on PostgreSQL alone, as the next ones
      'database_connection_refusals_total',
      'tenant_database_connections',
      'tenant_database_connection_waiters',
    ]
    assert.deepEqual(
      wrong.filter((name) => !elsewhere.includes(name)),
      [],
    )
  })

  it('name every reason that is logged and counted', () => {
    const logged = sources.flatMap(({ text }) => reasonsIn(text))
    const declared = limits.flatMap(({ reasons = [] }) => reasons)
    assert.ok(logged.length > 15)
    assert.deepEqual(
      logged.filter((reason) => !declared.includes(reason)),
      [],
      'name these in `reasons` of a limit',
    )
  })
})

/** Of what reports refusals to the monitor of limits. */
function reasonsIn(text: string): string[] {
  if (!/\bLimitMonitor\b|\bWebSocketLimiter\b|\bSubscriptionLimits\b/.test(text)) return []
  const calls = text.matchAll(/(?:refused|observe|exceeded|#terminate)\('([^']+)'|\breason: '([^']+)'/g)
  return [...calls].map(([, ofCall, ofBound]) => ofCall ?? ofBound ?? '')
}

/** @returns the uses of limiters that neither declare a limit nor import a file of their folder that does, where the limiter has none itself */
function withoutDeclaration(all: readonly Source[]): string[] {
  const declaring = new Set(all.filter(({ text }) => text.search(declaration) >= 0).map(({ path }) => path))
  const limiters = all.flatMap((source) =>
    [...source.text.matchAll(limiterClass)].map(([, name = '']) => ({ source, name })),
  )
  // A limiter that is made of another one is looked at itself.
  const made = new Set(limiters.map(({ source }) => source))
  return limiters
    .filter(({ source }) => !declaring.has(source.path))
    .flatMap(({ source, name }) => {
      const uses = all.filter((each) => !made.has(each) && each.text.includes(`new ${name}(`))
      const isDeclared = ({ path, imports }: Source) =>
        declaring.has(path) ||
        imports.some(({ target }) => declaring.has(target) && dirname(target) === dirname(path))
      const isPart = uses.length === 0 && [...made].some(({ text }) => text.includes(`new ${name}(`))
      const missing = uses.length === 0 && !isPart ? [source] : uses.filter((use) => !isDeclared(use))
      return missing.map(({ path }) => `${path} ${name}`)
    })
}

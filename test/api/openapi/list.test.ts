/** Lists that can grow have the same parameters with the same meaning; the others say why they cannot. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { ListParameters } from '../../../src/core/page.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { assertError } from '../../support/error.ts'
import { type Operation, operationsOf, readOpenApi } from '../../support/http/openapi-document.ts'
import { nextPage } from '../../support/pages.ts'
import { sharedService, type TestService } from '../../support/service.ts'
import { existingPath } from './example-world.ts'
import { inlined } from './inlined.ts'

interface List {
  path: string
  parameters: readonly { name: string; description: string }[]
  members: string[]
}

const common = Object.entries(ListParameters).map(
  ([name, schema]) => ({ name, ...(schema as { description?: string }) }), // a JSON Schema
)

/** What a list needs to be counted. */
const required: Readonly<Record<string, string>> = { '/api/audit/all': '&tenantId=default' }

onEitherDatabase('A list of the interface', (database) => {
  let service: TestService
  let lists: List[]
  let bounded: Map<string, string>
  before(async () => {
    service = await sharedService(database)
    const document = await readOpenApi(service.anonymous)
    lists = listsOf(operationsOf({ ...document, paths: inlined(document, document.paths) }))
    const routes = service.service.features.flatMap(({ routes: own = [] }) => own)
    bounded = new Map(
      routes.flatMap(({ path, bounded: reason }) =>
        reason === undefined ? [] : [[path.replaceAll(/:(\w+)/g, '{$1}'), reason]],
      ),
    )
  })
  after(() => service.stop())

  const growing = () => lists.filter(({ path }) => !bounded.has(path))

  it('has the parameters of every list, or says why it cannot grow', () => {
    assert.ok(growing().length > 10)
    for (const { path, parameters } of lists) {
      const given = new Map(parameters.map(({ name, description }) => [name, description]))
      const names = common
        .filter(({ name, description }) => given.get(name) !== description)
        .map(({ name }) => name)
      if (bounded.has(path)) assert.ok(!given.has('limit'), `${path} is bounded and has pages`)
      else assert.deepEqual(names, [], path)
    }
  })

  it('says so of lists alone', () => {
    const known = new Set(lists.map(({ path }) => path))
    assert.deepEqual(
      [...bounded.keys()].filter((path) => !known.has(path)),
      [],
    )
    for (const [path, reason] of bounded) assert.match(reason, /^[A-Z].+\.$/, path)
  })

  it('returns the members that fields names, a page at a time, and counts all rows', async () => {
    for (const { path, members } of growing()) {
      const [member = ''] = members
      const address = await existingPath(service, path)
      const query = `fields=${member}&count=true${required[path] ?? ''}`
      const page = await service.host.get(`${address}?limit=1&${query}`)
      assert.equal(page.status, 200, page.text)
      const whole = await service.host.get(`${address}?limit=200&${query}`)
      const total = Number(page.headers.get('x-total-count'))
      assert.equal(whole.headers.get('x-total-count'), `${total}`, path)
      assert.equal(whole.body.length, Math.min(total, 200), path)
      for (const row of whole.body) assert.deepEqual(Object.keys(row), [member], path)
      assert.deepEqual(page.body, whole.body.slice(0, 1), path)
      const next = nextPage(page)
      assert.equal(next !== null, total > 1, path)
      if (next !== null) assert.deepEqual((await service.host.get(next)).body, whole.body.slice(1, 2), path)
    }
  })

  it('refuses a member that it does not have, a cursor of another list and a misspelt parameter', async () => {
    for (const { path, members } of growing()) {
      const address = await existingPath(service, path)
      const get = (query: string) => service.host.get(`${address}?${query}`)
      const [member = ''] = members
      assertError(
        await get(`fields=${member}x`),
        400,
        `fields: ${member}x is not a member of a row; did you mean ${member}?`,
      )
      assertError(await get('cursor=AA'), 400, /^cursor: /)
      assertError(await get('cuont=true'), 400, /^cuont: .*did you mean count\?/)
    }
  })
})

function listsOf(operations: Map<string, Operation>): List[] {
  return [...operations].flatMap(([name, { parameters, responses }]) => {
    const schema = responses['200']?.content?.['application/json']?.schema as Schema | undefined // of JSON Schema
    if (!name.startsWith('GET ') || schema?.type !== 'array') return []
    const queries = parameters.filter(
      (each): each is typeof each & List['parameters'][number] => each.in === 'query',
    )
    return [
      { path: name.slice('GET '.length), parameters: queries, members: Object.keys(schema.items.properties) },
    ]
  })
}

interface Schema {
  type: string
  items: { properties: object }
}

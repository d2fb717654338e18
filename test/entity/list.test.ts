/** Lists of an entity over REST, compared with the same rows filtered and sorted in JavaScript. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc, { type Arbitrary } from 'fast-check'
import { foldText } from '../../src/database/fold-text.ts'
import {
  boolean,
  date,
  entity,
  integer,
  listOf,
  money,
  oneOf,
  reference,
  text,
  timestamp,
} from '../../src/index.ts'
import type { Client } from '../support/client.ts'
import { onEachDatabase } from '../support/databases.ts'
import { assertError } from '../support/error.ts'
import { comparing } from '../support/list-order.ts'
import { runSeed, runsOf } from '../support/run/extent.ts'
import { startService, type TestService } from '../support/service.ts'
import { migrated } from './migrated.ts'

const owner = entity('owner', { fields: { name: text() } })
const ticket = entity('ticket', {
  fields: {
    title: text({ min: 0 }),
    body: text({ min: 0, max: 500 }).optional(),
    essay: text({ max: 2001 }).optional(),
    count: integer().optional(),
    cost: money(),
    isOpen: boolean().default(true),
    dueOn: date().optional(),
    seenAt: timestamp().optional(),
    level: oneOf('low', 'high').default('low'),
    owner: reference(owner).optional(),
    tags: listOf(text(), 5).default([]),
  },
  search: ['title', 'body'],
  sort: ['createdAt', 'title'],
})

type Row = Record<string, unknown>

const words = ['oak', 'Oak', 'ÖL', 'öl', 'straße', 'STRASSE', 'Σίσυφος', 'σίσυφοσ', '%', '_', '\\', 'a,b', '']
const numbers = [-3, 0, 2, 10]
const costs = [0, 0.1, 9.99, 10, 12.5]
const days = ['2025-12-31', '2026-01-01', '2026-06-15']
const moments = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-03-01T12:00:00.000Z']

const anyRow = fc.record(
  {
    title: fc.constantFrom(...words, 'oak table', 'Eiche ÖL'),
    body: fc.constantFrom(null, ...words),
    count: fc.constantFrom(null, ...numbers),
    cost: fc.constantFrom(...costs),
    isOpen: fc.boolean(),
    dueOn: fc.constantFrom(null, ...days),
    seenAt: fc.constantFrom(null, ...moments),
    level: fc.constantFrom('low', 'high'),
  },
  { noNullPrototype: true },
)

const ordered: Record<string, (a: never, b: never) => boolean> = {
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
}

interface Condition {
  parameter: string
  value: string
  matches(row: Row): boolean
}

function conditionsOn(
  name: string,
  values: readonly (string | number)[],
  operators: readonly string[],
): Arbitrary<Condition> {
  return fc
    .record({ operator: fc.constantFrom(...operators), value: fc.constantFrom(...values) })
    .map(({ operator, value }) => ({
      parameter: operator === 'eq' && name !== 'count' ? name : `${name}[${operator}]`,
      value: `${value}`,
      matches: (row) => isMatch(row[name], operator, value),
    }))
}

function isMatch(there: unknown, operator: string, value: string | number): boolean {
  if (operator === 'neq') return there !== value
  if (operator === 'isNull') return (there === null) === (value === 'true')
  if (operator === 'nin') return there !== value
  if (there === null) return false
  if (operator === 'eq' || operator === 'in') return there === value
  const compare = ordered[operator]
  if (compare !== undefined) return compare(there as never, value as never)
  const ignoresCase = operator.startsWith('i')
  const [whole, part] = ignoresCase
    ? [foldText(String(there)), foldText(String(value))]
    : [String(there), String(value)]
  switch (ignoresCase ? operator.slice(1) : operator) {
    case 'eq':
      return whole === part
    case 'contains':
      return whole.includes(part)
    case 'startsWith':
      return whole.startsWith(part)
    default:
      return whole.endsWith(part)
  }
}

const comparisons = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'nin']
const textual = [
  'eq',
  'neq',
  'contains',
  'startsWith',
  'endsWith',
  'ieq',
  'icontains',
  'istartsWith',
  'iendsWith',
]
const anyCondition = fc.oneof(
  conditionsOn('title', words, textual),
  conditionsOn('body', words, textual),
  conditionsOn('body', ['true', 'false'], ['isNull']),
  conditionsOn('count', numbers, comparisons),
  conditionsOn('cost', costs, comparisons),
  conditionsOn('dueOn', days, comparisons),
  conditionsOn('seenAt', moments, comparisons),
  conditionsOn('level', ['low', 'high'], ['eq', 'neq', 'in', 'nin']),
)
const sortable = ['title', 'body', 'count', 'cost', 'dueOn', 'seenAt', 'level', 'createdAt']
const anySort = fc.array(fc.record({ name: fc.constantFrom(...sortable), descending: fc.boolean() }), {
  maxLength: 3,
})

onEachDatabase('Lists of an entity', (database) => {
  let service: TestService
  let user: Client
  let rows: Row[]
  before(async () => {
    service = await startService(database, {}, { features: migrated([owner, ticket]) })
    user = (await service.newTenant()).user
    const owners: Row[] = []
    for (const name of ['Zoe', 'ada', 'Bo']) owners.push((await user.post('/api/owners', { name })).body)
    const wanted = fc.sample(anyRow, { numRuns: 60, seed: 7 })
    rows = []
    for (const [index, members] of wanted.entries()) {
      const ownerId = index % 4 === 0 ? null : owners[index % 3]?.['id']
      const { status, body, text: told } = await user.post('/api/tickets', { ...members, ownerId })
      assert.equal(status, 201, told)
      rows.push(body)
    }
  })
  after(() => service.stop())

  const pagesOf = async (query: URLSearchParams): Promise<Row[]> => {
    const found: Row[] = []
    for (let path = `/api/tickets?${query}`; path !== ''; ) {
      const { status, body, headers, text: told } = await user.get(path)
      assert.equal(status, 200, told)
      found.push(...body)
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }
    return found
  }

  it('have the rows that all conditions allow, in the order of all keys, page by page', async () => {
    const anyRequest = fc.record({
      conditions: fc.array(anyCondition, { maxLength: 3 }),
      sort: anySort,
      limit: fc.integer({ min: 1, max: 40 }),
    })
    await fc.assert(
      fc.asyncProperty(anyRequest, async ({ conditions, sort, limit }) => {
        const query = new URLSearchParams({ limit: `${limit}` })
        const kept = new Map(conditions.map((condition) => [condition.parameter, condition])) // a parameter comes once
        for (const { parameter, value } of kept.values()) query.set(parameter, value)
        const keys = sort.map(({ name, descending }) => `${descending ? '-' : ''}${name}`)
        if (keys.length > 0) query.set('sort', keys.join())
        const expected = rows
          .filter((row) => [...kept.values()].every(({ matches }) => matches(row)))
          .toSorted(comparing(sort))
        assert.deepEqual(await pagesOf(query), expected, `${query}`)
      }),
      { numRuns: runsOf(25, 120), seed: runSeed },
    )
  })

  it('name any value in a list: a repeated parameter has one value each time, with its commas', async () => {
    const titled = (wanted: (title: string) => boolean) => rows.filter(({ title }) => wanted(String(title)))
    const listed = new Set(['a,b', 'oak', ''])
    const named = titled((title) => title === 'a,b')
    const query = (name: string, values: Iterable<string>) =>
      new URLSearchParams([...[...values].map((value) => [name, value]), ['limit', '2']])
    assert.ok(named.length > 0)
    const among = titled((title) => listed.has(title))
    assert.deepEqual(await pagesOf(query('title[in]', listed)), among)
    assert.deepEqual(
      await pagesOf(query('title[nin]', listed)),
      titled((title) => !listed.has(title)),
    )
    assert.deepEqual(await pagesOf(query('title[in]', ['a,b'])), [])
    assert.deepEqual(await pagesOf(query('title', ['a,b'])), named)
    assertError(await user.get(`/api/tickets?${query('count[in]', ['2', 'two'])}`), 400, /count\[in\]: /)
    assertError(await user.get(`/api/tickets?${query('title', ['oak', 'a,b'])}`), 400, /title: /)
    const many = query('title[in]', Array.from({ length: 101 }, String))
    assertError(await user.get(`/api/tickets?${many}`), 400, /title\[in\]: /)
  })

  it('can be searched for words, in any searched member and without case', async () => {
    for (const search of ['oak', 'ÖL', 'eiche öl', 'strasse', '%', 'nothing there']) {
      const parts = foldText(search).split(' ')
      const expected = rows.filter((row) =>
        parts.every((part) =>
          [row['title'], row['body']].some((each) => each !== null && foldText(String(each)).includes(part)),
        ),
      )
      assert.deepEqual(await pagesOf(new URLSearchParams({ search })), expected, search)
    }
  })

  it('count the rows of all pages, and leave out members that nobody asked for', async () => {
    const { body, headers } = await user.get('/api/tickets?level=high&count=true&limit=2&fields=title,id')
    assert.equal(Number(headers.get('x-total-count')), rows.filter(({ level }) => level === 'high').length)
    assert.deepEqual(body.map(Object.keys), [
      ['id', 'title'],
      ['id', 'title'],
    ])
    assert.equal((await user.get('/api/tickets?limit=2')).headers.get('x-total-count'), null)
  })

  it('are sorted by a member of the row that they refer to', async () => {
    const found = await pagesOf(new URLSearchParams({ sort: '-owner.name', limit: '7' }))
    const names = new Map((await user.get('/api/owners')).body.map(({ id, name }: Row) => [id, name]))
    const seen = found.map(({ ownerId }) => (ownerId === null ? '' : String(names.get(ownerId))))
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)),
    )
    assert.equal(found.length, rows.length)
  })

  it('refuse what they do not know, with the nearest name', async () => {
    for (const [query, reason] of [
      ['titel=x', /titel: .*did you mean title\?/],
      ['title[contain]=x', /did you mean title\[contains\]\?/],
      ['tags=x', /tags: is not a parameter/],
      ['sort=titel', /sort: titel .*did you mean title\?/],
      ['sort=tags', /sort: tags/],
      ['sort=owner.name.first', /sort: owner\.name\.first/],
      ['sort=-essay', /sort: essay has texts that are too long for a cursor; sort by shorter members/],
      ['sort=title,title,title,title,title', /sort: /],
      ['fields=titel', /fields: titel .*did you mean title\?/],
      ['count=yes', /count: /],
      ['cost=much', /cost: /],
      ['dueOn[gt]=2026-02-30', /dueOn\[gt\]: /],
      ['level=middle', /level: must be one of low, high/],
      ['ownerId=me', /ownerId: /],
      ['cursor=nonsense&sort=title', /cursor: /],
      [`search=${'a '.repeat(9)}`, /search: must have 8 words at most/],
    ] as const)
      assertError(await user.get(`/api/tickets?${encodeURI(query)}`), 400, reason)
  })

  it('take the cursor of no other order', async () => {
    const { headers } = await user.get('/api/tickets?sort=title&limit=1')
    const next = /^<([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
    assertError(await user.get(next.replace('sort=title', 'sort=-title')), 400, /cursor: /)
  })

  it('without parameters are whole, in the order of creation', async () => {
    assert.deepEqual((await user.get('/api/tickets')).body, rows)
  })
})

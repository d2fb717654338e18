/** Aggregates in GraphQL, compared with the same numbers computed in whole ten-thousandths. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { boolean, date, entity, integer, money, oneOf, reference, text } from '../../src/index.ts'
import type { Client } from '../support/client.ts'
import { onEachDatabase } from '../support/databases.ts'
import { runSeed, runsOf } from '../support/run/extent.ts'
import { startService, type TestService } from '../support/service.ts'
import { migrated } from './migrated.ts'

const shop = entity('shop', { fields: { name: text() } })
const sale = entity('sale', {
  fields: {
    amount: money({ min: -99_999_999_999 }),
    tip: money().optional(),
    count: integer().optional(),
    city: text().optional(),
    level: oneOf('low', 'high').default('low'),
    isPaid: boolean().default(false),
    soldOn: date().optional(),
    shop: reference(shop).optional(),
    note: text({ max: 2000 }).optional(),
  },
  access: { list: 'user' },
})
const secret = entity('secret', { fields: { price: money() }, access: { list: 'admin' } })

type Row = Record<string, string | number | boolean | null>

const largest = 99_999_999_999
const anyAmount = fc.oneof(
  fc.constantFrom(0.1, 0.2, 0.3, 0.0001, 19.99, -0.1, largest, -largest, 99_999_999_998.9999),
  fc.integer({ min: -10_000_000, max: 10_000_000 }).map((units) => units / 10_000),
)
const anySale = fc.record(
  {
    amount: anyAmount,
    tip: fc.constantFrom(null, 0, 0.1, 0.7),
    count: fc.constantFrom(null, -7, 0, 3, 9_007_199_254_740_991),
    city: fc.constantFrom(null, 'Ulm', 'ulm', 'Äpolda', 'z'),
    level: fc.constantFrom('low', 'high'),
    isPaid: fc.boolean(),
    soldOn: fc.constantFrom(null, '2025-12-31', '2026-01-01'),
  },
  { noNullPrototype: true },
)

const keys = ['city', 'level', 'isPaid', 'soldOn', 'shopId', 'tip', 'count'] as const
const selected = `count key { ${keys.join(' ')} } sum { amount tip count } avg { amount tip count }
  min { amount count soldOn createdAt } max { amount count soldOn createdAt }`

onEachDatabase('An aggregate', (database) => {
  let service: TestService
  let user: Client
  let rows: Row[]
  before(async () => {
    service = await startService(database, {}, { features: migrated([shop, sale, secret]) })
    const tenant = await service.newTenant()
    user = tenant.user
    const shops: string[] = []
    for (const name of ['A', 'B']) shops.push((await user.post('/api/shops', { name })).body.id)
    rows = []
    for (const [index, members] of fc.sample(anySale, { numRuns: 50, seed: 11 }).entries()) {
      const shopId = shops[index % 3] ?? null
      const { status, body, text: told } = await user.post('/api/sales', { ...members, shopId })
      assert.equal(status, 201, told)
      rows.push(body)
    }
    const { user: other } = await service.newTenant()
    await other.post('/api/sales', { amount: 1_000_000 })
  })
  after(() => service.stop())

  // biome-ignore lint/suspicious/noExplicitAny: the shape follows the query
  const ask = async (query: string, variables = {}, client = user): Promise<any> =>
    (await client.post('/graphql', { query, variables })).body
  const groupsOf = async (groupBy: readonly string[], where: object = {}) => {
    const query = `query ($groupBy: [SaleGroupField!], $where: SaleFilterInput) {
      salesAggregate(groupBy: $groupBy, where: $where) { ${selected} } }`
    const { data, errors } = await ask(query, { groupBy, where })
    assert.equal(errors, undefined, JSON.stringify(errors))
    return data.salesAggregate
  }

  it('has the exact numbers of each group, in the order of the keys', async () => {
    const wanted = fc.subarray([...keys], { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(wanted, fc.constantFrom(null, 'low', 'high'), async (groupBy, level) => {
        const where = level === null ? {} : { level: { eq: level } }
        const matching = rows.filter((row) => level === null || row['level'] === level)
        assert.deepEqual(await groupsOf(groupBy, where), expectedGroups(matching, groupBy))
      }),
      { numRuns: runsOf(10, 40), seed: runSeed },
    )
  })

  it('without rows has one group of none, or no group', async () => {
    const where = { amount: { gt: 99_999_999_999 } }
    const [whole, ...others] = await groupsOf([], where)
    assert.deepEqual(others, [])
    assert.deepEqual([whole.count, whole.sum.amount, whole.avg.tip, whole.max.soldOn], [0, null, null, null])
    assert.deepEqual(await groupsOf(['level'], where), [])
  })

  it('is ordered by its numbers and limited to the first groups', async () => {
    const all = expectedGroups(rows, ['city'])
    const orders: Record<string, (group: (typeof all)[number]) => number> = {
      'count: DESC': ({ count }) => -count,
      'sum: { tip: DESC }': ({ sum }) => -Number(sum['tip']),
      'avg: { tip: ASC }': ({ avg }) => Number(avg['tip']),
      'max: { amount: DESC }': ({ max }) => -Number(max['amount']),
    }
    for (const [order, rank] of Object.entries(orders)) {
      const { data, errors } = await ask(
        `{ salesAggregate(groupBy: city, first: 3, order: [{ ${order} }, { key: { city: ASC } }]) { key { city } } }`,
      )
      assert.equal(errors, undefined, JSON.stringify(errors))
      const expected = all.toSorted((a, b) => rank(a) - rank(b)).slice(0, 3)
      assert.deepEqual(
        data.salesAggregate,
        expected.map(({ key }) => ({ key: { city: key['city'] } })),
        order,
      )
    }
  })

  it('is not ordered by a direction whose variable is not given', async () => {
    const group = (order: string) => `salesAggregate(groupBy: city${order}) { key { city } }`
    const query = `query ($none: SortEnumType) {
      plain: ${group('')}
      ordered: ${group(', order: [{ count: $none }, { sum: { tip: $none } }]')}
    }`
    const { data, errors } = await ask(query)
    assert.equal(errors, undefined, JSON.stringify(errors))
    assert.deepEqual(data.ordered, data.plain)
  })

  it('takes aliases, type names and fragments', async () => {
    const { data } =
      await ask(`{ totals: salesAggregate { ...f n: count s: sum { a: amount b: amount __typename } } }
      fragment f on SaleAggregate { __typename key { __typename city } max { __typename } }`)
    const { amount } = expectedGroups(rows, [])[0]?.sum ?? {}
    assert.deepEqual(data.totals, [
      {
        __typename: 'SaleAggregate',
        key: { __typename: 'SaleAggregateKey', city: null },
        max: { __typename: 'SaleAggregateExtremes' },
        n: rows.length,
        s: { a: amount, b: amount, __typename: 'SaleAggregateNumbers' },
      },
    ])
  })

  it('refuses what makes no sense, and what costs too much, as lists do', async () => {
    const many = Array.from(
      { length: 20 },
      (_each, index) => `a${index}: salesAggregate(groupBy: city) { count }`,
    )
    for (const [query, code] of [
      ['{ salesAggregate(groupBy: note) { count } }', 'HC0016'],
      ['{ salesAggregate { sum { city } } }', 'GRAPHQL_VALIDATION_FAILED'],
      ['{ salesAggregate(groupBy: city, order: { key: { level: ASC } }) { count } }', 'HC0016'],
      ['{ salesAggregate(groupBy: [city, level, isPaid, soldOn, shopId]) { count } }', 'HC0051'],
      ['{ salesAggregate(groupBy: city, first: 201) { count } }', 'HC0051'],
      [`{ ${many.join(' ')} }`, 'HC0047'],
      ['{ secretsAggregate { count } }', 'AUTH_NOT_AUTHORIZED'],
    ] as const)
      assert.equal((await ask(query)).errors?.[0].extensions.code, code, query)
    const anonymous = await ask('{ salesAggregate { count } }', {}, service.anonymous)
    assert.equal(anonymous.errors[0].extensions.code, 'AUTH_NOT_AUTHENTICATED')
  })
})

interface Expected {
  count: number
  key: Row
  sum: Row
  avg: Row
  min: Row
  max: Row
}

function expectedGroups(rows: readonly Row[], groupBy: readonly string[]): Expected[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(groupBy.map((name) => row[name])))
  if (groupBy.length === 0 && groups.size === 0) groups.set('[]', [])
  const all = [...groups.values()].map((group): Expected => {
    const valuesOf = (name: string) => group.map((row) => row[name] ?? null).filter((value) => value !== null)
    const each = (names: readonly string[], of: (values: (string | number)[]) => Row[string]) =>
      Object.fromEntries(names.map((name) => [name, of(valuesOf(name) as (string | number)[])]))
    const numbers = ['amount', 'tip', 'count']
    const extremes = ['amount', 'count', 'soldOn', 'createdAt']
    const sorted = (values: (string | number)[]) => values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    return {
      count: group.length,
      key: Object.fromEntries(
        keys.map((name) => [name, groupBy.includes(name) ? (group[0]?.[name] ?? null) : null]),
      ),
      sum: each(numbers, (values) => (values.length === 0 ? null : ratio(unitsIn(values), 10_000n))),
      avg: each(numbers, (values) =>
        values.length === 0 ? null : rounded(unitsIn(values), BigInt(values.length) * 10_000n),
      ),
      min: each(extremes, (values) => sorted(values)[0] ?? null),
      max: each(extremes, (values) => sorted(values).at(-1) ?? null),
    }
  })
  return all.toSorted((one, other) => {
    for (const name of groupBy) {
      const order = compare(one.key[name] ?? null, other.key[name] ?? null)
      if (order !== 0) return order
    }
    return 0
  })
}

/** In ten-thousandths. */
function unitsIn(values: readonly (string | number)[]): bigint {
  return values.reduce((sum, value) => sum + BigInt(Number(value).toFixed(4).replace('.', '')), 0n)
}

/** As a client reads the exact decimal. */
function ratio(units: bigint, of: bigint): number {
  const size = units < 0n ? -units : units
  return Number(`${units < 0n ? '-' : ''}${size / of}.${String(size % of).padStart(4, '0')}`)
}

/** With six decimals, halves away from zero. */
function rounded(units: bigint, divisor: bigint): number {
  const size = (units < 0n ? -units : units) * 1_000_000n
  const millionths = size / divisor + (2n * (size % divisor) >= divisor ? 1n : 0n)
  const decimal = `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, '0')}`
  return Number(millionths === 0n || units > 0n ? decimal : `-${decimal}`)
}

function compare(one: Row[string], other: Row[string]): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? -1 : 1
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(String(other)))
  return Number(one) - Number(other)
}
